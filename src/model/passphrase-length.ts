/** RFC 3414 §11.2. Agents such as net-snmp refuse a shorter one. */
export const minPassphraseOctets = 8;

export function isShortPassphrase(passphrase: string): boolean {
  return Buffer.byteLength(passphrase) < minPassphraseOctets;
}

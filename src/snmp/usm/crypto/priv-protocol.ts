/** How a user's scoped PDUs are encrypted. */
export interface PrivProtocol {
  /** As OpenSSL 3 names it; DES is there as triple DES with one key three times. */
  readonly cipher: 'des-ede3-cbc' | 'aes-128-cfb' | 'aes-192-cfb' | 'aes-256-cfb';
  /** Octets of the localized key that are used; for DES the second half is the pre-IV. */
  readonly keyBytes: number;
  /** How a digest that is shorter than the key is made longer. */
  readonly extension: 'blumenthal' | 'reeder';
}

/**
 * RFC 3414 §8, RFC 3826, draft-blumenthal-aes-usm-04 and, for the names ending in `c` (Cisco and others),
 * draft-reeder-snmpv3-usm-3desede-00. Every digest is long enough for DES and AES-128.
 */
export const privProtocols = {
  des: { cipher: 'des-ede3-cbc', keyBytes: 16, extension: 'blumenthal' },
  aes: { cipher: 'aes-128-cfb', keyBytes: 16, extension: 'blumenthal' },
  aes192: { cipher: 'aes-192-cfb', keyBytes: 24, extension: 'blumenthal' },
  aes256: { cipher: 'aes-256-cfb', keyBytes: 32, extension: 'blumenthal' },
  aes192c: { cipher: 'aes-192-cfb', keyBytes: 24, extension: 'reeder' },
  aes256c: { cipher: 'aes-256-cfb', keyBytes: 32, extension: 'reeder' },
} as const satisfies Readonly<Record<string, PrivProtocol>>;

export type PrivProtocolName = keyof typeof privProtocols;

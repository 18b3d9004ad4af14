import { isUnderOid, type Oid } from '../../../model/oid.ts';
import type { Varbind } from '../../../snmp/index.ts';

/**
 * Takes out of a recording what should not leave the house. The same text is always replaced by the same, wherever it comes
 * again later, so that what belongs together still does.
 */
export class Redaction {
  readonly #secrets: readonly string[];
  readonly #replacements = new Map<string, Buffer>();

  /** `secrets`: what the device was asked with; a text that holds one is replaced, unless everybody knows it. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter((secret) => secret !== '' && secret !== 'public');
  }

  /** The varbind to record in its place; undefined when it is left out. */
  redact(varbind: Varbind): Varbind | undefined {
    if (leftOut.some((root) => isUnderOid(varbind.oid, root))) return undefined;
    if (varbind.type !== 'OctetString' || varbind.value.length === 0) return varbind;
    const text = varbind.value.toString('latin1');
    if (!this.#mustReplace(varbind.oid, text)) return varbind;
    return { ...varbind, value: this.#replace(text) };
  }

  #mustReplace(oid: Oid, text: string): boolean {
    return (
      identifying.some((root) => isUnderOid(oid, root)) ||
      (text.length >= minRepeatedLength && this.#replacements.has(text)) ||
      this.#secrets.some(
        (secret) => text === secret || (secret.length >= minRepeatedLength && text.includes(secret)),
      ) ||
      secretLike.test(text)
    );
  }

  #replace(text: string): Buffer {
    const known = this.#replacements.get(text);
    if (known !== undefined) return known;
    const replacement = Buffer.from(`redacted-${this.#replacements.size + 1}`);
    this.#replacements.set(text, replacement);
    return replacement;
  }
}

/** Who may ask, with what, and who is told. Left out whole: the OID of a row can spell a community or a user. */
const leftOut: readonly Oid[] = [
  '1.3.6.1.6.3.12.1', // SNMP-TARGET-MIB
  '1.3.6.1.6.3.13.1', // SNMP-NOTIFICATION-MIB
  '1.3.6.1.6.3.14.1', // SNMP-PROXY-MIB
  '1.3.6.1.6.3.15.1.2', // usmUser of SNMP-USER-BASED-SM-MIB
  '1.3.6.1.6.3.16.1', // SNMP-VIEW-BASED-ACM-MIB
  '1.3.6.1.6.3.18.1', // SNMP-COMMUNITY-MIB
];

/** Objects that name a person, a place or one specimen, and command lines, which carry whatever people type. */
const identifying: readonly Oid[] = [
  '1.3.6.1.2.1.1.4', // sysContact
  '1.3.6.1.2.1.1.6', // sysLocation
  '1.3.6.1.2.1.25.4.2.1.5', // hrSWRunParameters
  '1.3.6.1.2.1.43.5.1.1.17', // prtGeneralSerialNumber
  '1.3.6.1.2.1.47.1.1.1.1.11', // entPhysicalSerialNum
  '1.3.6.1.4.1.9.3.6.3', // Cisco chassisId
  '1.3.6.1.4.1.9.5.1.2.19', // Cisco chassisSerialNumberString
  '1.3.6.1.4.1.9.5.1.3.1.1.26', // Cisco moduleSerialNumberString
  '1.3.6.1.4.1.318.1.1.1.1.2.3', // APC upsAdvIdentSerialNumber
  '1.3.6.1.4.1.789.1.1.9', // NetApp productSerialNum
  '1.3.6.1.4.1.2636.3.1.3', // Juniper jnxBoxSerialNo
  '1.3.6.1.4.1.2636.3.1.8.1.7', // Juniper jnxContentsSerialNo
  '1.3.6.1.4.1.12356.100.1.1.1', // Fortinet fnSysSerial
  '1.3.6.1.4.1.25461.2.1.2.1.3', // Palo Alto panSysSerialNumber
];

/** Shorter texts, such as `n/a`, mean something else elsewhere. */
const minRepeatedLength = 5;

/** A word for a secret with something behind it. */
const secretLike =
  /(?:pass(?:word|phrase|wd)|secret|community|credential|api[-_ ]?key|token|psk)["']?\s*(?:[:=]|\bis\b)\s*\S|-----BEGIN [A-Z ]*PRIVATE KEY/i;

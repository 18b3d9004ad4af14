import { isUnderOid, type Oid } from '../../../src/model/oid.ts';
import type { Varbind } from '../../../src/snmp/index.ts';

/**
 * Removes confidential text from a recording. The same text always gets the same replacement, so that values that refer to
 * each other still do.
 */
export class Redaction {
  readonly #secrets: readonly string[];
  readonly #replacements = new Map<string, Buffer>();

  /** `secrets`: the credentials of the request. A text that contains one is replaced, except the well-known `public`. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter((secret) => secret !== '' && secret !== 'public');
  }

  /** The varbind to record; undefined when it is left out. */
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

/** Users, communities, views and notification targets. Left out completely: an OID in them can spell a community or a user. */
const leftOut: readonly Oid[] = [
  '1.3.6.1.6.3.12.1', // SNMP-TARGET-MIB
  '1.3.6.1.6.3.13.1', // SNMP-NOTIFICATION-MIB
  '1.3.6.1.6.3.14.1', // SNMP-PROXY-MIB
  '1.3.6.1.6.3.15.1.2', // usmUser of SNMP-USER-BASED-SM-MIB
  '1.3.6.1.6.3.16.1', // SNMP-VIEW-BASED-ACM-MIB
  '1.3.6.1.6.3.18.1', // SNMP-COMMUNITY-MIB
];

/** Objects that identify a person, a place or one unit, and command lines, which can contain anything. */
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

/** Shorter texts, such as `n/a`, can have another meaning elsewhere. */
const minRepeatedLength = 5;

/** A word for a secret, followed by a value. */
const secretLike =
  /(?:pass(?:word|phrase|wd)|secret|community|credential|api[-_ ]?key|token|psk)["']?\s*(?:[:=]|\bis\b)\s*\S|-----BEGIN [A-Z ]*PRIVATE KEY/i;

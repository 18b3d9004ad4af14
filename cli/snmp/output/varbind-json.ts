import { isUtf8 } from 'node:buffer';
import type { Varbind } from '../../../src/snmp/index.ts';

/**
 * A varbind as one line of JSON: `oid`, `type`, `value`. The type alone decides the form of the value: 64-bit numbers are
 * strings, because JSON readers round them; exceptions are null; octets that are not text are hexadecimal, with `encoding`.
 */
export function formatVarbindJson(varbind: Varbind): string {
  return JSON.stringify(describeVarbind(varbind));
}

/** The same before it becomes text. */
export function describeVarbind({ oid, type, value }: Varbind): object {
  if (Buffer.isBuffer(value)) {
    const isText = type === 'OctetString' && isUtf8(value) && !hasControls(value);
    return isText
      ? { oid, type, value: value.toString() }
      : { oid, type, value: value.toString('hex'), encoding: 'hex' };
  }
  const isPlain = typeof value !== 'bigint' && (typeof value !== 'number' || Number.isFinite(value));
  return { oid, type, value: isPlain ? value : String(value) };
}

/** Control characters other than white space. */
function hasControls(octets: Buffer): boolean {
  return octets.some((octet) => octet === 0x7f || (octet < 0x20 && (octet < 0x09 || octet > 0x0d)));
}

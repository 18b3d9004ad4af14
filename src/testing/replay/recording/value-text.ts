import { berTag } from '../../../snmp/codec/ber-tag.ts';
import { encodeOid } from '../../../snmp/codec/oid-bytes.ts';
import { readShortNumber } from './decimal-text.ts';
import type { ReplayValue } from './recording-builder.ts';
import { excerpt, LineProblem } from './recording-parser.ts';

/** The types whose content is plain octets. */
export const octetTags: ReadonlySet<number> = new Set([
  berTag.octetString,
  berTag.ipAddress,
  berTag.opaque,
  berTag.nsapAddress,
]);

/**
 * The value of `text`, in the type of `tag`. A number of any type may have 64 bits: real agents send negative counters, and a
 * recording must be able to contain them.
 */
export function valueOfText(tag: number, text: Buffer): ReplayValue {
  switch (tag) {
    case berTag.integer:
    case berTag.counter32:
    case berTag.gauge32:
    case berTag.timeTicks:
    case berTag.counter64:
    case berTag.uInteger32:
      return readShortNumber(text) ?? numberOf(tag, text.toString('latin1').trim());
    case berTag.octetString:
    case berTag.opaque:
    case berTag.nsapAddress:
      return text;
    case berTag.objectIdentifier:
      // Some recordings end an OID with a dot.
      return octetsOfOid(text.toString('latin1').trim().replace(/\.$/, ''));
    case berTag.ipAddress:
      return octetsOfAddress(text);
    case berTag.null:
    case berTag.noSuchObject:
    case berTag.noSuchInstance:
    case berTag.endOfMibView:
      return Buffer.alloc(0);
    default:
      throw new LineProblem(
        `${tag} is not the tag of any SNMP type; write one of 2, 4, 5, 6, 64 to 71, 128 to 130`,
      );
  }
}

/** Hexadecimal as snmpsim reads it: a single digit at the end is the upper half of its octet. */
export function octetsOfHex(text: string): Buffer {
  const even = text.length % 2 === 0 ? text : `${text}0`;
  const octets = Buffer.from(even, 'hex');
  if (octets.length * 2 !== even.length) throw new LineProblem(`${excerpt(text)} is not hexadecimal`);
  return octets;
}

/** Octets in which a backslash starts one of Python's escapes of one character, or `\xHH`. */
export function octetsOfEscapes(text: Buffer): Buffer {
  const unescaped = text.toString('latin1').replace(/\\(x[0-9a-fA-F]{2}|.|$)/gs, (whole, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const character = escapes[code];
    if (character === undefined)
      throw new LineProblem(`${excerpt(whole)} is not an escape; write \\\\ for a backslash`);
    return character;
  });
  return Buffer.from(unescaped, 'latin1');
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function numberOf(tag: number, text: string): number | bigint {
  if (!/^-?\d+$/.test(text))
    throw new LineProblem(`a value of tag ${tag} must be a whole number, not ${excerpt(text)}`);
  if (text.length <= 15) return Number(text);
  // Reading a number of millions of digits takes the square of them.
  const value = BigInt(
    text.length > longestNumber ? text.replace(/^(-?)0+(?=\d)/, '$1').slice(0, longestNumber) : text,
  );
  if (value >= 2n ** 64n || value < -(2n ** 63n))
    throw new LineProblem(`${excerpt(text)} does not fit into 64 bits`);
  return value;
}

/** Of 64 bits, with its sign and some more digits. */
const longestNumber = 40;

function octetsOfAddress(text: Buffer): Buffer {
  // snmpsim takes four characters as the four octets.
  if (text.length === 4) return text;
  const parts = text.toString('latin1').trim().split('.').map(Number);
  if (parts.length !== 4 || !parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)) {
    throw new LineProblem(
      `${excerpt(text.toString('latin1'))} is not an IPv4 address; write it as 192.0.2.1`,
    );
  }
  return Buffer.from(parts);
}

function octetsOfOid(text: string): Buffer {
  const oid = text === '' ? Buffer.alloc(0) : encodeOid(text);
  if (oid === undefined) throw new LineProblem(`${excerpt(text)} is not an OID; write it in decimal`);
  return oid;
}

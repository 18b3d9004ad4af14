import { gapCode } from '../../../model/gap.ts';
import { maxOidArcs, type Oid } from '../../../model/oid.ts';
import type { NameTable } from '../built-in-names.ts';
import type { Reading } from '../syntax.ts';
import { decodeAddress, decodeMac, decodeRoutePrefix } from './address-text.ts';
import type { ColumnMemory } from './column-memory.ts';
import { decodeDateAndTime } from './date-and-time.ts';
import { readDateInText } from './date-in-text.ts';
import { readExactInteger } from './number-column.ts';
import { decodeOctets, isPlainText, upperHexText } from './octet-text.ts';
import { type Octets, octetsAt, type RawColumn, rawTag } from './raw-column.ts';
import { readNumber } from './raw-number.ts';

const decodeGap = gapCode('decode');
const emptyGap = gapCode('empty');
const addressReadings: ReadonlySet<Reading> = new Set(['address', 'routePrefix', 'mac']);

interface Names {
  readonly integers?: NameTable | undefined;
  readonly oids?: ReadonlyMap<Oid, string> | undefined;
}

/** Counts values without a name in their enum. */
export interface NameTally {
  unnamed: number;
}

/** Rows whose gap is set stay undefined. A row that does not decode gets the gap `decode`, an empty address the gap `empty`. */
export function decodeTexts(
  raw: RawColumn,
  gaps: Uint8Array,
  reading: Reading,
  names: Names,
  tally?: NameTally,
  memory?: ColumnMemory,
): readonly (string | undefined)[] {
  const texts = mapRows(raw, gaps, memory as ColumnMemory<string> | undefined, (row) =>
    textAt(raw, row, reading, names, tally),
  );
  if (addressReadings.has(reading)) {
    for (let row = 0; row < raw.count; row++) {
      if (gaps[row] === decodeGap && isEmpty(raw, row)) gaps[row] = emptyGap;
    }
  }
  return texts;
}

/** Whether a row holds octets, but none of them: how agents write that there is no address. */
function isEmpty({ tags, octets }: RawColumn, row: number): boolean {
  const tag = tags[row];
  return (tag === rawTag.octetString || tag === rawTag.ipAddress) && octets[row]?.length === 0;
}

/** 1 is true, 2 is false (RFC 2579). */
export function decodeBooleans(raw: RawColumn, gaps: Uint8Array): Uint8Array {
  const values = new Uint8Array(raw.count);
  for (let row = 0; row < raw.count; row++) {
    if (gaps[row] !== 0) continue;
    const value = readNumber(raw, row);
    if (value === 1) values[row] = 1;
    else if (value !== 2) gaps[row] = decodeGap;
  }
  return values;
}

/** The names of the bits that are set. A bit without a name appears as its number. */
export function decodeLists(
  raw: RawColumn,
  gaps: Uint8Array,
  names: NameTable | undefined,
  tally?: NameTally,
  memory?: ColumnMemory,
): readonly (readonly string[] | undefined)[] {
  return mapRows(raw, gaps, memory as ColumnMemory<readonly string[]> | undefined, (row) =>
    bitsAt(raw, row)?.map((bit) => nameOf(bit, names, tally)),
  );
}

function mapRows<Value>(
  raw: RawColumn,
  gaps: Uint8Array,
  memory: ColumnMemory<Value> | undefined,
  decode: (row: number) => Value | undefined,
): readonly (Value | undefined)[] {
  const known = memory?.findAll(raw);
  if (known !== undefined) return known;
  const values: (Value | undefined)[] = new Array(raw.count).fill(undefined);
  for (let row = 0; row < raw.count; row++) {
    if (gaps[row] !== 0) continue;
    const value = memory?.find(raw, row) ?? decode(row);
    if (value === undefined) gaps[row] = decodeGap;
    values[row] = value;
  }
  return memory?.keep(raw, values) ?? values;
}

function textAt(
  raw: RawColumn,
  row: number,
  reading: Reading,
  names: Names,
  tally: NameTally | undefined,
): string | undefined {
  if (reading === 'names') return integerName(raw, row, names.integers, tally);
  const given = raw.octets[row];
  // The usual text needs no octets.
  if (isUsualText(given, raw.tags[row], reading)) return given;
  const octets = octetsAt(raw, row);
  if (octets === undefined) return numberText(raw, row, reading);
  if (raw.tags[row] === rawTag.objectIdentifier) return oidText(decodeOid(octets), reading, names, tally);
  switch (reading) {
    case 'address':
      return decodeAddress(octets);
    case 'routePrefix':
      return decodeRoutePrefix(octets);
    case 'mac':
      return decodeMac(octets);
    case 'hex':
      return raw.tags[row] === rawTag.ipAddress ? octets.join('.') : upperHexText(octets);
    case 'dateAndTime':
      return decodeDateAndTime(octets);
    case 'dateInText':
      return readDateInText(decodeOctets(octets));
    case 'oid':
    case 'oidNames':
      return undefined;
    default:
      return raw.tags[row] === rawTag.ipAddress ? octets.join('.') : decodeOctets(octets);
  }
}

function isUsualText(given: Octets, tag: number | undefined, reading: Reading): given is string {
  return (
    tag === rawTag.octetString && textReadings.has(reading) && typeof given === 'string' && isPlainText(given)
  );
}

const textReadings: ReadonlySet<Reading> = new Set(['octets', 'identifier', 'unsignedIdentifier']);

function integerName(
  raw: RawColumn,
  row: number,
  names: NameTable | undefined,
  tally?: NameTally,
): string | undefined {
  const value = readNumber(raw, row);
  return Number.isFinite(value) ? nameOf(value, names, tally) : undefined;
}

function oidText(
  oid: Oid | undefined,
  reading: Reading,
  names: Names,
  tally?: NameTally,
): string | undefined {
  if (oid === undefined || !oidReadings.has(reading)) return undefined;
  if (reading !== 'oidNames') return oid;
  const name = names.oids?.get(oid);
  if (name === undefined && tally !== undefined) tally.unnamed++;
  return name ?? oid;
}

const oidReadings: ReadonlySet<Reading> = new Set([
  'oid',
  'oidNames',
  'octets',
  'hex',
  'identifier',
  'unsignedIdentifier',
]);

function numberText(raw: RawColumn, row: number, reading: Reading): string | undefined {
  const value = readNumber(raw, row);
  if (!Number.isFinite(value)) return undefined;
  switch (reading) {
    case 'octets':
    case 'hex':
    case 'identifier':
      return Number.isInteger(value) ? String(readExactInteger(raw, row)) : String(value);
    case 'unsignedIdentifier':
      return unsignedText(readExactInteger(raw, row));
    default:
      return undefined;
  }
}

/** A negative number of 32 bits becomes the unsigned number with the same bits. */
function unsignedText(value: bigint): string {
  return String(value < 0n ? BigInt.asUintN(value >= -0x80000000n ? 32 : 64, value) : value);
}

function nameOf(value: number, names: NameTable | undefined, tally: NameTally | undefined): string {
  const name = names?.get(value);
  if (name === undefined && tally !== undefined) tally.unnamed++;
  return name ?? String(value);
}

/** Set bits of octets, the first one the highest of the first octet (RFC 2578 §7.1.4); of a number, the lowest. */
function bitsAt(raw: RawColumn, row: number): number[] | undefined {
  const octets = octetsAt(raw, row);
  const bits: number[] = [];
  if (octets !== undefined) {
    if (raw.tags[row] === rawTag.objectIdentifier) return undefined;
    const end = Math.min(8 * octets.length, maxBits);
    for (let bit = 0; bit < end; bit++) {
      if (((octets[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0) bits.push(bit);
    }
    return bits;
  }
  if (!Number.isInteger(readNumber(raw, row))) return undefined;
  for (let bit = 0; bit < 64; bit++) {
    const word = raw.words[2 * row + (bit >> 5)] ?? 0;
    if (((word >>> (bit & 31)) & 1) === 1) bits.push(bit);
  }
  return bits;
}

/** The most bits that are listed, so that a hostile string does not become a list of a million names. */
const maxBits = 1024;

/** The OID with these BER content octets; undefined when they are not an OID. */
function decodeOid(octets: Uint8Array): Oid | undefined {
  let text = '';
  let arc = 0;
  let arcs = 0;
  let isOpen = false;
  for (const octet of octets) {
    arc = arc * 128 + (octet & 0x7f);
    if (arc > 0xffffffff + 80) return undefined;
    isOpen = octet >= 0x80;
    if (isOpen) continue;
    text += arcs === 0 ? firstTwo(arc) : `.${arc}`;
    arcs += arcs === 0 ? 2 : 1;
    if (arcs > maxOidArcs) return undefined;
    arc = 0;
  }
  return isOpen || arcs === 0 ? undefined : text;
}

/** The first two arcs are encoded as one number (X.690 §8.19.4). */
function firstTwo(arc: number): string {
  const first = Math.min(Math.floor(arc / 40), 2);
  return `${first}.${arc - 40 * first}`;
}

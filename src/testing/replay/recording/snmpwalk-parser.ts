import { berTag } from '../../../snmp/codec/ber-tag.ts';
import { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import { encodeOid } from '../../../snmp/codec/oid-bytes.ts';
import { writeOpaque } from '../../../snmp/codec/opaque-codec.ts';
import type { ReplayValue, VarbindSink } from './recording-builder.ts';
import { excerpt, LineProblem, type RecordingParser } from './recording-parser.ts';
import { valueOfText } from './value-text.ts';

/**
 * The output of `snmpwalk -On`, with or without MIBs for the values: `.1.3.6.1.2.1.1.3.0 = Timeticks: (5) 0:00:00.05`. A value
 * of several lines ends where its quote closes or the next OID starts. Lines without a value (no such object, end of MIB) are
 * left out.
 */
export class SnmpwalkParser implements RecordingParser {
  readonly #sink: VarbindSink;
  #oid: Buffer | undefined;
  #value = '';
  #isQuoted = false;
  /** Whether the quotation mark at the start of the value is not closed yet. */
  #isOpen = false;

  constructor(sink: VarbindSink) {
    this.#sink = sink;
  }

  addLine(line: Buffer): void {
    const text = line.toString('latin1');
    const oidText = oidBefore(text);
    if (oidText === undefined || this.#isOpen) {
      if (this.#oid !== undefined) this.#continue(text);
      else if (text.trim() !== '') throw new LineProblem(`expected .OID = TYPE: VALUE, not ${excerpt(text)}`);
      return;
    }
    const value = text.slice(text.indexOf(assignment) + assignment.length).replace(/^ /, '');
    const oid = encodeOid(oidText);
    try {
      this.finish();
    } finally {
      // This line counts also where the value before it cannot be read.
      this.#oid = oid;
      this.#value = value;
      this.#isQuoted = startsQuoted.test(value);
      this.#isOpen = this.#isQuoted && !endsQuoted(value.replace(startsQuoted, ''));
    }
    if (oid === undefined)
      throw new LineProblem(`${excerpt(oidText)} is not an OID; walk the agent with -On`);
  }

  /** Looks at the new line only: a value may have millions of them. */
  #continue(text: string): void {
    this.#value += `\n${text}`;
    if (this.#isQuoted && text.trim() !== '') this.#isOpen = !endsQuoted(text);
  }

  finish(): void {
    const oid = this.#oid;
    if (oid === undefined) return;
    this.#oid = undefined;
    const isOpen = this.#isOpen;
    this.#isOpen = false;
    if (isOpen) throw new LineProblem('the quote of this value is not closed');
    const value = this.#value.trim();
    if (withoutValue.test(value)) return;
    const { tag, content } = valueOfWalk(value);
    this.#sink.add(oid, tag, content);
  }
}

const withoutValue = /^(No Such (Object|Instance)|No more variables left in this MIB View)/;

const assignment = ' =';
const startsQuoted = /^(?:STRING: )?"/;

/*
 * A value may have 20 MB. Expressions that repeat a group, or remember where they may go back to, would use up the stack on it: what
 * they are given has a limit.
 */

/** The OID of a line that begins with `OID =`. */
function oidBefore(text: string): string | undefined {
  const end = text.slice(0, longestOid).indexOf(assignment);
  const oid = text.slice(text.startsWith('.') ? 1 : 0, Math.max(end, 0));
  return /^\d+(?:\.\d+)*$/.test(oid) ? oid : undefined;
}

/** In characters: 128 numbers of ten digits, each with a dot. */
const longestOid = 1_500;

/** Whether a text ends with a quotation mark that no backslash escapes; white space may follow. */
function endsQuoted(text: string): boolean {
  const end = text.trimEnd().length - 1;
  if (text[end] !== '"') return false;
  let backslashes = 0;
  while (text[end - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 0;
}

/** The value that net-snmp printed as `TYPE: VALUE`. A value without a type is empty, Null or TimeTicks. */
function valueOfWalk(printed: string): { readonly tag: number; readonly content: ReplayValue } {
  const text = printed.replace(/^Wrong Type \(should be [^)]{0,200}\): /, '');
  if (text === '""') return { tag: berTag.octetString, content: Buffer.alloc(0) };
  if (text === 'NULL') return { tag: berTag.null, content: Buffer.alloc(0) };
  const [whole = '', typeText = 'timeticks'] =
    /^([A-Za-z][\w-]*(?: Address)?):\s*/.exec(text.slice(0, longestType)) ?? [];
  const value = text.slice(whole.length).trimStart();
  const type = typeText.toLowerCase();
  const tag = tagOfType[type];
  if (tag === undefined) throw new LineProblem(`${excerpt(typeText)} is not a type that snmpwalk -On prints`);
  return { tag, content: contentOf(type, tag, value) };
}

const longestType = 100;

const tagOfType: Readonly<Record<string, number>> = {
  integer: berTag.integer,
  integer32: berTag.integer,
  unsigned32: berTag.gauge32,
  gauge32: berTag.gauge32,
  counter32: berTag.counter32,
  counter64: berTag.counter64,
  uinteger32: berTag.uInteger32,
  timeticks: berTag.timeTicks,
  string: berTag.octetString,
  'hex-string': berTag.octetString,
  bits: berTag.octetString,
  ipaddress: berTag.ipAddress,
  'network address': berTag.ipAddress,
  oid: berTag.objectIdentifier,
  opaque: berTag.opaque,
};

function contentOf(type: string, tag: number, value: string): ReplayValue {
  switch (type) {
    case 'string':
      return octetsOfString(value);
    case 'hex-string':
    case 'bits':
      return octetsOfHexWords(value);
    case 'network address':
      return Buffer.from(value.split(':').map((octet) => Number.parseInt(octet, 16)));
    case 'opaque':
      return octetsOfOpaque(value);
    case 'oid':
    case 'ipaddress':
      return valueOfText(tag, Buffer.from(value));
    default:
      return valueOfText(tag, Buffer.from(numberIn(value)));
  }
}

/** `5`, `up(1)`, `60 seconds`, `(12345) 0:02:03.45`. */
function numberIn(value: string): string {
  const [, plain, enclosed] = /^(-?\d{1,40})(?:\s|$)|\((-?\d{1,40})\)/.exec(value) ?? [];
  return plain ?? enclosed ?? value;
}

/** Quoted with escapes; or octets as a display hint prints them, `0:1b:21:…`; or plain text. */
function octetsOfString(value: string): Buffer {
  if (value.startsWith('"')) {
    return Buffer.from(value.slice(1, value.lastIndexOf('"')).replace(/\\([\\"])/g, '$1'), 'latin1');
  }
  if (value.includes(':') && !/[^0-9a-f:]/i.test(value)) {
    const octets = value.split(':');
    if (octets.every(({ length }) => length === 1 || length === 2))
      return Buffer.from(octets.map((octet) => Number.parseInt(octet, 16)));
  }
  return Buffer.from(value, 'latin1');
}

/** The octets at the start; names of bits may follow. */
function octetsOfHexWords(value: string): Buffer {
  const word = /[0-9a-fA-F]{2}(?:\s+|$)/y;
  let end = 0;
  while (word.test(value)) end = word.lastIndex;
  const words = value.slice(0, end);
  if (words === '' && value !== '') throw new LineProblem(`${excerpt(value)} is not hexadecimal`);
  return Buffer.from(words.replace(/\s+/g, ''), 'hex');
}

function octetsOfOpaque(value: string): Buffer {
  const [, kind = '', number = ''] =
    /^(Float|Double|U?Int64|Counter64): (-?[\d.]{1,400})$/i.exec(value) ?? [];
  if (number === '') return octetsOfHexWords(value);
  const writer = new BerWriter(16);
  switch (kind.toLowerCase()) {
    case 'float':
      writeOpaque(writer, { type: 'OpaqueFloat', value: Number(number) });
      break;
    case 'double':
      writeOpaque(writer, { type: 'OpaqueDouble', value: Number(number) });
      break;
    case 'int64':
      writeOpaque(writer, { type: 'OpaqueInt64', value: BigInt(number) });
      break;
    case 'uint64':
      writeOpaque(writer, { type: 'OpaqueUInt64', value: BigInt(number) });
      break;
    default:
      writeOpaque(writer, { type: 'OpaqueCounter64', value: BigInt(number) });
  }
  const headerOctets = 2;
  return writer.toBuffer().subarray(headerOctets);
}

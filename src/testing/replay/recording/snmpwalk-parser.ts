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

  constructor(sink: VarbindSink) {
    this.#sink = sink;
  }

  addLine(line: Buffer): void {
    const text = line.toString('latin1');
    const [, oidText, value] = /^\.?(\d+(?:\.\d+)*) = ?(.*)$/s.exec(text) ?? [];
    if (oidText === undefined || (this.#oid !== undefined && hasOpenQuote(this.#value))) {
      if (this.#oid !== undefined) this.#value += `\n${text}`;
      else if (text.trim() !== '') throw new LineProblem(`expected .OID = TYPE: VALUE, not ${excerpt(text)}`);
      return;
    }
    const oid = encodeOid(oidText);
    try {
      this.finish();
    } finally {
      // This line counts also where the value before it cannot be read.
      this.#oid = oid;
      this.#value = value!;
    }
    if (oid === undefined)
      throw new LineProblem(`${excerpt(oidText)} is not an OID; walk the agent with -On`);
  }

  finish(): void {
    const oid = this.#oid;
    if (oid === undefined) return;
    this.#oid = undefined;
    if (hasOpenQuote(this.#value)) throw new LineProblem('the quote of this value is not closed');
    const value = this.#value.trim();
    if (withoutValue.test(value)) return;
    const { tag, content } = valueOfWalk(value);
    this.#sink.add(oid, tag, content);
  }
}

const withoutValue = /^(No Such (Object|Instance)|No more variables left in this MIB View)/;

function hasOpenQuote(value: string): boolean {
  const [, quoted] = /^(?:STRING: )?"(.*)$/s.exec(value) ?? [];
  return quoted !== undefined && !/^(?:[^\\]|\\.)*"\s*$/.test(quoted);
}

/** The value that net-snmp printed as `TYPE: VALUE`. A value without a type is empty, Null or TimeTicks. */
function valueOfWalk(printed: string): { readonly tag: number; readonly content: ReplayValue } {
  const text = printed.replace(/^Wrong Type \(should be [^)]*\): /, '');
  if (text === '""') return { tag: berTag.octetString, content: Buffer.alloc(0) };
  if (text === 'NULL') return { tag: berTag.null, content: Buffer.alloc(0) };
  const [, typeText = 'timeticks', value = ''] = /^([A-Za-z][\w-]*(?: Address)?):\s*(.*)$/s.exec(text) ?? [
    '',
    undefined,
    text,
  ];
  const type = typeText.toLowerCase();
  const tag = tagOfType[type];
  if (tag === undefined) throw new LineProblem(`${excerpt(typeText)} is not a type that snmpwalk -On prints`);
  return { tag, content: contentOf(type, tag, value) };
}

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
  const [, plain, enclosed] = /^(-?\d+)(?:\s|$)|\((-?\d+)\)/.exec(value) ?? [];
  return plain ?? enclosed ?? value;
}

/** Quoted with escapes; or octets as a display hint prints them, `0:1b:21:…`; or plain text. */
function octetsOfString(value: string): Buffer {
  if (value.startsWith('"')) {
    return Buffer.from(value.slice(1, value.lastIndexOf('"')).replace(/\\([\\"])/g, '$1'), 'latin1');
  }
  if (/^[0-9a-f]{1,2}(:[0-9a-f]{1,2})+$/i.test(value)) {
    return Buffer.from(value.split(':').map((octet) => Number.parseInt(octet, 16)));
  }
  return Buffer.from(value, 'latin1');
}

/** The octets at the start; names of bits may follow. */
function octetsOfHexWords(value: string): Buffer {
  const [words = ''] = /^(?:[0-9a-fA-F]{2}(?:\s+|$))*/.exec(value) ?? [];
  if (words === '' && value !== '') throw new LineProblem(`${excerpt(value)} is not hexadecimal`);
  return Buffer.from(words.replace(/\s+/g, ''), 'hex');
}

function octetsOfOpaque(value: string): Buffer {
  const [, kind = '', number = ''] = /^(Float|Double|U?Int64|Counter64): (-?[\d.]+)$/i.exec(value) ?? [];
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

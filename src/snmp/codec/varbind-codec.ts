import type { BerReader } from './ber-reader.ts';
import { berTag } from './ber-tag.ts';
import type { BerWriter } from './ber-writer.ts';
import { decodeOid, encodeOid } from './oid-bytes.ts';
import type { OidStem, OidTextCache } from './oid-text-cache.ts';
import { readOpaque, writeOpaque } from './opaque-codec.ts';
import type { SnmpType, Varbind } from './snmp-value.ts';

/** Limits what a reply can make us allocate. */
export const maxVarbinds = 2048;

/** Where in the datagram the OIDs of the varbinds are that were read last, and the stems of those that the cache knows. */
export class OidRanges {
  readonly starts = new Int32Array(maxVarbinds);
  readonly ends = new Int32Array(maxVarbinds);
  readonly stems: (OidStem | undefined)[] = new Array(maxVarbinds).fill(undefined);
  readonly lastArcs = new Int32Array(maxVarbinds);

  set(index: number, start: number, end: number, { stem, lastArc }: OidTextCache): void {
    this.starts[index] = start;
    this.ends[index] = end;
    this.stems[index] = stem;
    this.lastArcs[index] = lastArc;
  }
}

/** Reads a VarBindList; after a fault, discard the list. */
export function readVarbinds(reader: BerReader, texts: OidTextCache, ranges?: OidRanges): Varbind[] {
  const varbinds: Varbind[] = [];
  const outer = reader.enter(berTag.sequence);
  const { bytes } = reader;
  while (!reader.isAtEnd) {
    if (varbinds.length === maxVarbinds) {
      reader.fail('varbindCount');
      break;
    }
    const { position, end } = reader;
    const shortValueAt = findShortValue(bytes, position, end);
    if (shortValueAt === 0) {
      reader.enter(berTag.sequence);
      reader.expectHeader(berTag.objectIdentifier);
      const start = reader.position;
      const oid = readName(reader, texts);
      ranges?.set(varbinds.length, start, reader.position, texts);
      varbinds.push(readValue(reader, texts, oid, reader.readHeader()));
      reader.leave(end);
    } else {
      const oid = texts.decode(bytes, position + 4, shortValueAt);
      if (oid === undefined) {
        reader.fail('oid');
        break;
      }
      ranges?.set(varbinds.length, position + 4, shortValueAt, texts);
      reader.length = bytes[shortValueAt + 1]!;
      reader.position = shortValueAt + 2;
      varbinds.push(readValue(reader, texts, oid, bytes[shortValueAt]!));
    }
  }
  reader.leave(outer);
  return varbinds;
}

/** Where the header of the value begins in a varbind whose three lengths are one octet each, as most are; 0 in any other. */
function findShortValue(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 6 || bytes[start] !== berTag.sequence || bytes[start + 2] !== berTag.objectIdentifier)
    return 0;
  const length = bytes[start + 1]!;
  const nameLength = bytes[start + 3]!;
  const valueAt = start + 4 + nameLength;
  if (valueAt + 2 > end) return 0;
  const valueLength = bytes[valueAt + 1]!;
  const isShort = (length | nameLength | valueLength) < 0x80;
  return isShort && nameLength + valueLength + 4 === length && valueAt + 2 + valueLength <= end ? valueAt : 0;
}

export function writeVarbinds(writer: BerWriter, varbinds: readonly Varbind[]): void {
  const mark = writer.mark();
  for (let i = varbinds.length - 1; i >= 0; i--) writeVarbind(writer, varbinds[i]!);
  writer.header(berTag.sequence, mark);
}

function readValue(reader: BerReader, texts: OidTextCache, oid: string, tag: number): Varbind {
  let type: SnmpType;
  let value: number | bigint | string | Buffer | null;
  switch (tag) {
    case berTag.integer:
      type = 'Integer32';
      value = reader.readSignedContent();
      break;
    case berTag.octetString:
      type = 'OctetString';
      value = reader.readOctetsContent();
      break;
    case berTag.null:
      type = 'Null';
      value = readNothing(reader);
      break;
    case berTag.objectIdentifier:
      type = 'ObjectIdentifier';
      value = readOidValue(reader, texts);
      break;
    case berTag.ipAddress:
      type = 'IpAddress';
      value = reader.readOctetsContent().join('.');
      break;
    case berTag.counter32:
      type = 'Counter32';
      value = reader.readUnsigned32Content();
      break;
    case berTag.gauge32:
      type = 'Gauge32';
      value = reader.readUnsigned32Content();
      break;
    case berTag.timeTicks:
      type = 'TimeTicks';
      value = reader.readUnsigned32Content();
      break;
    case berTag.uInteger32:
      type = 'UInteger32';
      value = reader.readUnsigned32Content();
      break;
    case berTag.counter64:
      type = 'Counter64';
      value = reader.readUnsigned64Content();
      break;
    case berTag.opaque:
      ({ type, value } = readOpaque(reader));
      break;
    case berTag.nsapAddress:
      type = 'NsapAddress';
      value = reader.readOctetsContent();
      break;
    case berTag.noSuchObject:
      type = 'noSuchObject';
      value = readNothing(reader);
      break;
    case berTag.noSuchInstance:
      type = 'noSuchInstance';
      value = readNothing(reader);
      break;
    case berTag.endOfMibView:
      type = 'endOfMibView';
      value = readNothing(reader);
      break;
    default:
      type = 'Null';
      value = null;
      reader.fail('tag');
  }
  return { oid, type, value } as Varbind;
}

function readNothing(reader: BerReader): null {
  if (reader.length !== 0) reader.fail('value');
  return null;
}

function readName(reader: BerReader, texts: OidTextCache): string {
  const { bytes, position, length } = reader;
  reader.position += length;
  const name = reader.fault === undefined ? texts.decode(bytes, position, position + length) : '';
  if (name === undefined) reader.fail('oid');
  return name ?? '';
}

/** As a value, an OID need not be minimal: nothing depends on its order. */
function readOidValue(reader: BerReader, texts: OidTextCache): string {
  const { bytes, position, length } = reader;
  reader.position += length;
  const end = position + length;
  const value = texts.decode(bytes, position, end) ?? decodeOid(bytes, position, end);
  if (value === undefined) reader.fail('oid');
  return value ?? '';
}

/** Throws a RangeError for a value that cannot be encoded: it comes from the caller, not from a packet. */
function writeVarbind(writer: BerWriter, varbind: Varbind): void {
  const mark = writer.mark();
  writeValue(writer, varbind);
  writer.octets(berTag.objectIdentifier, oidOctets(varbind.oid));
  writer.header(berTag.sequence, mark);
}

function writeValue(writer: BerWriter, varbind: Varbind): void {
  switch (varbind.type) {
    case 'Integer32':
      writer.integer(varbind.value);
      break;
    case 'Counter32':
      writer.integer(varbind.value, berTag.counter32);
      break;
    case 'Gauge32':
      writer.integer(varbind.value, berTag.gauge32);
      break;
    case 'TimeTicks':
      writer.integer(varbind.value, berTag.timeTicks);
      break;
    case 'UInteger32':
      writer.integer(varbind.value, berTag.uInteger32);
      break;
    case 'Counter64':
      writer.bigInteger(varbind.value, berTag.counter64);
      break;
    case 'OctetString':
      writer.octets(berTag.octetString, varbind.value);
      break;
    case 'NsapAddress':
      writer.octets(berTag.nsapAddress, varbind.value);
      break;
    case 'ObjectIdentifier':
      writer.octets(berTag.objectIdentifier, oidOctets(varbind.value));
      break;
    case 'IpAddress':
      writer.octets(berTag.ipAddress, addressOctets(varbind.value));
      break;
    case 'Null':
    case 'noSuchObject':
    case 'noSuchInstance':
    case 'endOfMibView':
      writer.empty(emptyTags[varbind.type]);
      break;
    case 'genErr':
    case 'tooBig':
      throw new RangeError(
        `A varbind of type ${varbind.type} cannot be encoded: the type exists in results only.`,
      );
    default:
      writeOpaque(writer, varbind);
  }
}

const emptyTags = {
  Null: berTag.null,
  noSuchObject: berTag.noSuchObject,
  noSuchInstance: berTag.noSuchInstance,
  endOfMibView: berTag.endOfMibView,
} as const;

function oidOctets(text: string): Buffer {
  const octets = encodeOid(text);
  if (octets === undefined) throw new RangeError(`"${text}" is not an OID.`);
  return octets;
}

function addressOctets(text: string): Uint8Array {
  return text === '' ? new Uint8Array(0) : Uint8Array.from(text.split('.'), Number);
}

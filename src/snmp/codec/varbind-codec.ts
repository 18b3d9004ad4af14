import type { BerReader } from './ber-reader.ts';
import { berTag } from './ber-tag.ts';
import type { BerWriter } from './ber-writer.ts';
import { encodeOid } from './oid-bytes.ts';
import type { OidTextCache } from './oid-text-cache.ts';
import { readOpaque, writeOpaque } from './opaque-codec.ts';
import type { SnmpType, Varbind } from './snmp-value.ts';

/** Caps what a reply can make us allocate. */
export const maxVarbinds = 2048;

/** Reads a VarBindList; after a fault the list is to be thrown away. */
export function readVarbinds(reader: BerReader, texts: OidTextCache): Varbind[] {
  const varbinds: Varbind[] = [];
  const outer = reader.enter(berTag.sequence);
  while (!reader.isAtEnd) {
    if (varbinds.length === maxVarbinds) reader.fail('varbinds');
    else varbinds.push(readVarbind(reader, texts));
  }
  reader.leave(outer);
  return varbinds;
}

export function writeVarbinds(writer: BerWriter, varbinds: readonly Varbind[]): void {
  const mark = writer.mark();
  for (let i = varbinds.length - 1; i >= 0; i--) writeVarbind(writer, varbinds[i]!);
  writer.header(berTag.sequence, mark);
}

function readVarbind(reader: BerReader, texts: OidTextCache): Varbind {
  const outer = reader.enter(berTag.sequence);
  const oid = readOid(reader, texts);
  let type: SnmpType;
  let value: number | bigint | string | Buffer | null;
  switch (reader.readHeader()) {
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
      value = readOidContent(reader, texts);
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
  reader.leave(outer);
  return { oid, type, value } as Varbind;
}

function readNothing(reader: BerReader): null {
  if (reader.length !== 0) reader.fail('value');
  return null;
}

function readOid(reader: BerReader, texts: OidTextCache): string {
  reader.expectHeader(berTag.objectIdentifier);
  return readOidContent(reader, texts);
}

function readOidContent(reader: BerReader, texts: OidTextCache): string {
  if (reader.fault !== undefined) return '';
  const start = reader.position;
  reader.position += reader.length;
  const text = texts.decode(reader.bytes, start, reader.position);
  if (text === undefined) reader.fail('oid');
  return text ?? '';
}

/** Throws a RangeError for an OID or address that is none: the caller's own varbinds are no packets. */
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
  if (octets === undefined) throw new RangeError(`"${text}" is no OID.`);
  return octets;
}

function addressOctets(text: string): Uint8Array {
  return text === '' ? new Uint8Array(0) : Uint8Array.from(text.split('.'), Number);
}

import { rawTag } from '../../../src/definitions/index.ts';
import { berTag, encodeOid, type PollColumns, slotStatus, type Varbind } from '../../../src/snmp/index.ts';

/** Writes a decoded value to the place where a compiled request would write it. */
export function storeValue(varbind: Varbind, columns: PollColumns, slot: number): void {
  switch (varbind.type) {
    case 'OctetString':
    case 'Opaque':
    case 'NsapAddress':
      storeText(columns, slot, tags[varbind.type], varbind.value.toString('latin1'));
      break;
    case 'ObjectIdentifier':
      storeText(columns, slot, rawTag.objectIdentifier, encodeOid(varbind.value)?.toString('latin1') ?? '');
      break;
    case 'IpAddress':
      storeText(
        columns,
        slot,
        rawTag.ipAddress,
        String.fromCharCode(...varbind.value.split('.').map(Number)),
      );
      break;
    case 'OpaqueFloat':
      storeBits(columns, slot, rawTag.float, BigInt(bitsOfSingle(varbind.value)));
      break;
    case 'OpaqueDouble':
      storeBits(columns, slot, rawTag.double, bitsOfDouble(varbind.value));
      break;
    case 'Integer32':
    case 'Counter32':
    case 'Gauge32':
    case 'TimeTicks':
    case 'UInteger32':
    case 'Counter64':
    case 'OpaqueCounter64':
    case 'OpaqueInt64':
    case 'OpaqueUInt64':
      storeBits(columns, slot, tags[varbind.type], BigInt(varbind.value));
      break;
    default:
      columns.status[slot] = statuses[varbind.type];
  }
}

const tags = {
  OctetString: rawTag.octetString,
  Opaque: rawTag.opaque,
  NsapAddress: rawTag.nsapAddress,
  Integer32: rawTag.integer,
  Counter32: rawTag.counter32,
  Gauge32: rawTag.gauge32,
  TimeTicks: rawTag.timeTicks,
  UInteger32: rawTag.uInteger32,
  Counter64: rawTag.counter64,
  OpaqueCounter64: rawTag.opaqueCounter64,
  OpaqueInt64: rawTag.int64,
  OpaqueUInt64: rawTag.uInt64,
} as const;

const statuses = {
  Null: berTag.null,
  noSuchObject: berTag.noSuchObject,
  noSuchInstance: berTag.noSuchInstance,
  endOfMibView: berTag.endOfMibView,
  genErr: slotStatus.genErr,
  tooBig: slotStatus.tooBig,
} as const;

function storeText(columns: PollColumns, slot: number, tag: number, text: string): void {
  columns.status[slot] = tag;
  if (columns.texts[slot] !== text) columns.texts[slot] = text;
}

function storeBits({ status, words }: PollColumns, slot: number, tag: number, bits: bigint): void {
  status[slot] = tag;
  words[2 * slot] = Number(bits & 0xffffffffn);
  words[2 * slot + 1] = Number((bits >> 32n) & 0xffffffffn);
}

function bitsOfSingle(value: number): number {
  const octets = Buffer.alloc(4);
  octets.writeFloatBE(value);
  return octets.readUInt32BE();
}

function bitsOfDouble(value: number): bigint {
  const octets = Buffer.alloc(8);
  octets.writeDoubleBE(value);
  return octets.readBigUInt64BE();
}

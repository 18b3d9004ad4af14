import { BerReader } from '../codec/ber-reader.ts';
import { readOpaque } from '../codec/opaque-codec.ts';
import type { SnmpValue, Varbind } from '../codec/snmp-value.ts';
import type { LibraryVarbind } from './library.ts';

/** A varbind as our own engine would give it; undefined for a type or a value that SNMP does not have. */
export function toVarbind(varbind: LibraryVarbind): Varbind | undefined {
  const value = toValue(varbind.type, varbind.value);
  return value === undefined ? undefined : ({ oid: varbind.oid, ...value } as Varbind);
}

/** The library's type numbers are BER tags. */
function toValue(type: number, value: unknown): SnmpValue | undefined {
  switch (type) {
    case 2:
      return typeof value === 'number' ? { type: 'Integer32', value } : undefined;
    case 4:
      return Buffer.isBuffer(value) ? { type: 'OctetString', value } : undefined;
    case 5:
      return { type: 'Null', value: null };
    case 6:
      return typeof value === 'string' ? { type: 'ObjectIdentifier', value } : undefined;
    case 64:
      return typeof value === 'string' ? { type: 'IpAddress', value } : undefined;
    case 65:
      return typeof value === 'number' ? { type: 'Counter32', value } : undefined;
    case 66:
      return typeof value === 'number' ? { type: 'Gauge32', value } : undefined;
    case 67:
      return typeof value === 'number' ? { type: 'TimeTicks', value } : undefined;
    case 68:
      return Buffer.isBuffer(value) ? readOpaque(readerOf(value)) : undefined;
    case 70:
      return Buffer.isBuffer(value)
        ? { type: 'Counter64', value: readerOf(value).readUnsigned64Content() }
        : undefined;
    case 128:
      return { type: 'noSuchObject', value: null };
    case 129:
      return { type: 'noSuchInstance', value: null };
    case 130:
      return { type: 'endOfMibView', value: null };
    default:
      return undefined;
  }
}

/** A reader as if it had just read the header in front of `content`. */
function readerOf(content: Buffer): BerReader {
  const reader = new BerReader().open(content);
  reader.length = content.length;
  return reader;
}

import { BerReader } from '../codec/ber-reader.ts';
import { berTag } from '../codec/ber-tag.ts';
import { readOpaque } from '../codec/opaque-codec.ts';
import type { SnmpValue, Varbind } from '../codec/snmp-value.ts';
import type { LibraryVarbind } from './net-snmp-library.ts';

/** A varbind as Waywiser's own engine returns it; undefined for a type or a value that SNMP does not have. */
export function toVarbind(varbind: LibraryVarbind): Varbind | undefined {
  const value = toValue(varbind.type, varbind.value);
  return value === undefined ? undefined : ({ oid: varbind.oid, ...value } as Varbind);
}

/** The library's type numbers are BER tags. */
function toValue(type: number, value: unknown): SnmpValue | undefined {
  switch (type) {
    case berTag.integer:
      return typeof value === 'number' ? { type: 'Integer32', value } : undefined;
    case berTag.octetString:
      return Buffer.isBuffer(value) ? { type: 'OctetString', value } : undefined;
    case berTag.null:
      return { type: 'Null', value: null };
    case berTag.objectIdentifier:
      return typeof value === 'string' ? { type: 'ObjectIdentifier', value } : undefined;
    case berTag.ipAddress:
      return typeof value === 'string' ? { type: 'IpAddress', value } : undefined;
    case berTag.counter32:
      return typeof value === 'number' ? { type: 'Counter32', value } : undefined;
    case berTag.gauge32:
      return typeof value === 'number' ? { type: 'Gauge32', value } : undefined;
    case berTag.timeTicks:
      return typeof value === 'number' ? { type: 'TimeTicks', value } : undefined;
    case berTag.opaque:
      return Buffer.isBuffer(value) ? readOpaque(readerOf(value)) : undefined;
    case berTag.counter64:
      return Buffer.isBuffer(value)
        ? { type: 'Counter64', value: readerOf(value).readUnsigned64Content() }
        : undefined;
    case berTag.noSuchObject:
      return { type: 'noSuchObject', value: null };
    case berTag.noSuchInstance:
      return { type: 'noSuchInstance', value: null };
    case berTag.endOfMibView:
      return { type: 'endOfMibView', value: null };
    default:
      return undefined;
  }
}

/** A reader in the state after the header of `content`. */
function readerOf(content: Buffer): BerReader {
  const reader = new BerReader().open(content);
  reader.length = content.length;
  return reader;
}

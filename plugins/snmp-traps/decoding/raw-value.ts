import { type RawColumn, rawTag } from '../../../src/internal.ts';
import { encodeOid, type SnmpType } from '../../../src/snmp/index.ts';
import type { ReceivedVarbind } from '../receiving/wire-form.ts';

const tags: Partial<Record<SnmpType, number>> = {
  Integer32: rawTag.integer,
  OctetString: rawTag.octetString,
  ObjectIdentifier: rawTag.objectIdentifier,
  IpAddress: rawTag.ipAddress,
  Counter32: rawTag.counter32,
  Gauge32: rawTag.gauge32,
  TimeTicks: rawTag.timeTicks,
  Opaque: rawTag.opaque,
  NsapAddress: rawTag.nsapAddress,
  Counter64: rawTag.counter64,
  UInteger32: rawTag.uInteger32,
  OpaqueCounter64: rawTag.opaqueCounter64,
  OpaqueInt64: rawTag.int64,
  OpaqueUInt64: rawTag.uInt64,
};

/** A value in the form of a polled column of one row, so that the decoders of polls read it. Undefined when it has none. */
export function rawValueOf({ type, value }: ReceivedVarbind): RawColumn | undefined {
  if (value === null) return undefined;
  if (type === 'OpaqueFloat') return floatColumn(rawTag.float, value as number);
  if (type === 'OpaqueDouble') return floatColumn(rawTag.double, value as number);
  const tag = tags[type];
  if (tag === undefined) return undefined;
  const words = new Uint32Array(2);
  let octets: RawColumn['octets'][number];
  if (typeof value === 'number') {
    words[0] = value;
    words[1] = value < 0 ? 0xffff_ffff : Math.floor(value / 0x1_0000_0000);
  } else if (typeof value === 'bigint') {
    words[0] = Number(BigInt.asUintN(32, value));
    words[1] = Number(BigInt.asUintN(32, value >> 32n));
  } else if (type === 'ObjectIdentifier') octets = encodeOid(value);
  else if (type === 'IpAddress') octets = Uint8Array.from(value.split('.'), Number);
  else octets = value;
  return { count: 1, words, tags: Uint8Array.of(tag), octets: [octets] };
}

function floatColumn(tag: number, value: number): RawColumn {
  const words = new Uint32Array(2);
  const view = new DataView(words.buffer);
  if (tag === rawTag.float) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return { count: 1, words, tags: Uint8Array.of(tag), octets: [undefined] };
}

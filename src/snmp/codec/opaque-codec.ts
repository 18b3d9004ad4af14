import type { BerReader } from './ber-reader.ts';
import { berTag, opaqueTag } from './ber-tag.ts';
import type { BerWriter } from './ber-writer.ts';
import type { SnmpValue } from './snmp-value.ts';

export type OpaqueValue = Extract<SnmpValue, { readonly type: `Opaque${string}` }>;

/** Reads the content of an Opaque: a number when it wraps one as net-snmp does, otherwise the unchanged octets. */
export function readOpaque(reader: BerReader): OpaqueValue {
  const octets = reader.readOctetsContent();
  if (octets.length > 3 && octets[0] === opaqueTag.first && octets[2] === octets.length - 3) {
    const inner = readWrapped(octets[1]!, octets.subarray(3));
    if (inner !== undefined) return inner;
  }
  return { type: 'Opaque', value: octets };
}

export function writeOpaque(writer: BerWriter, opaque: OpaqueValue): void {
  const mark = writer.mark();
  switch (opaque.type) {
    case 'Opaque':
      writer.raw(opaque.value);
      break;
    case 'OpaqueFloat':
      writeReal(writer, opaqueTag.float, 4, (octets) => octets.writeFloatBE(opaque.value));
      break;
    case 'OpaqueDouble':
      writeReal(writer, opaqueTag.double, 8, (octets) => octets.writeDoubleBE(opaque.value));
      break;
    default:
      writer.bigInteger(opaque.value, integerTags[opaque.type]);
      writer.raw(wrapper);
  }
  writer.header(berTag.opaque, mark);
}

const wrapper = Uint8Array.of(opaqueTag.first);
const integerTags = {
  OpaqueCounter64: opaqueTag.counter64,
  OpaqueInt64: opaqueTag.int64,
  OpaqueUInt64: opaqueTag.uInt64,
} as const;

function writeReal(writer: BerWriter, tag: number, size: number, fill: (octets: Buffer) => void): void {
  const octets = Buffer.alloc(size);
  fill(octets);
  writer.octets(tag, octets);
  writer.raw(wrapper);
}

function readWrapped(tag: number, octets: Buffer): OpaqueValue | undefined {
  const { length } = octets;
  switch (tag) {
    case opaqueTag.float:
      return length === 4 ? { type: 'OpaqueFloat', value: octets.readFloatBE() } : undefined;
    case opaqueTag.double:
      return length === 8 ? { type: 'OpaqueDouble', value: octets.readDoubleBE() } : undefined;
    case opaqueTag.counter64:
      return isUnsigned(octets) ? { type: 'OpaqueCounter64', value: toBigInt(octets) } : undefined;
    case opaqueTag.uInt64:
      return isUnsigned(octets) ? { type: 'OpaqueUInt64', value: toBigInt(octets) } : undefined;
    case opaqueTag.int64:
      return length <= 8
        ? { type: 'OpaqueInt64', value: BigInt.asIntN(8 * length, toBigInt(octets)) }
        : undefined;
    default:
      return undefined;
  }
}

function isUnsigned(octets: Buffer): boolean {
  return octets.length <= 8 || (octets.length === 9 && octets[0] === 0);
}

function toBigInt(octets: Buffer): bigint {
  return BigInt(`0x${octets.toString('hex')}`);
}

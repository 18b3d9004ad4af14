import fc from 'fast-check';
import type { SnmpValue, Varbind } from '../../../src/snmp/codec/snmp-value.ts';

const arc = fc.oneof(fc.nat(300), fc.nat(0xffffffff));

/** OIDs that BER can encode: at least two arcs, the first two within their limits. */
export const anyOid = fc
  .tuple(
    fc.oneof(fc.tuple(fc.nat(1), fc.nat(39)), fc.tuple(fc.constant(2), arc)),
    fc.array(arc, { maxLength: 20 }),
  )
  .map(([head, rest]) => [...head, ...rest].join('.'));

const octets = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const unsigned32 = fc.nat(0xffffffff);
const unsigned64 = fc.bigInt(0n, (1n << 64n) - 1n);

function typed<Type extends string, V>(
  type: Type,
  value: fc.Arbitrary<V>,
): fc.Arbitrary<{ type: Type; value: V }> {
  return value.map((v) => ({ type, value: v }));
}

const anyValue: fc.Arbitrary<SnmpValue> = fc.oneof(
  typed('Integer32', fc.integer({ min: -0x80000000, max: 0x7fffffff })),
  typed('OctetString', octets),
  typed('Null', fc.constant(null)),
  typed('ObjectIdentifier', anyOid),
  typed('IpAddress', fc.ipV4()),
  typed('Counter32', unsigned32),
  typed('Gauge32', unsigned32),
  typed('TimeTicks', unsigned32),
  typed('UInteger32', unsigned32),
  typed(
    'Opaque',
    octets.filter((bytes) => bytes[0] !== 0x9f),
  ),
  typed('OpaqueFloat', fc.float({ noNaN: true })),
  typed('OpaqueDouble', fc.double({ noNaN: true })),
  typed('OpaqueCounter64', unsigned64),
  typed('OpaqueUInt64', unsigned64),
  typed('OpaqueInt64', fc.bigInt(-(1n << 63n), (1n << 63n) - 1n)),
  typed('NsapAddress', octets),
  typed('Counter64', unsigned64),
  typed('noSuchObject', fc.constant(null)),
  typed('noSuchInstance', fc.constant(null)),
  typed('endOfMibView', fc.constant(null)),
);

export const anyVarbind: fc.Arbitrary<Varbind> = fc
  .tuple(anyOid, anyValue)
  .map(([oid, value]) => ({ oid, ...value }));

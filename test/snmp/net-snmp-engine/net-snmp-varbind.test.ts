import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toVarbind } from '../../../src/snmp/net-snmp-engine/net-snmp-varbind.ts';

const oid = '1.3.6.1.2.1.1.1.0';
const octets = Buffer.from('waywiser');

/** The library's type and value, then Waywiser's. */
const cases: readonly [number, unknown, string, unknown][] = [
  [2, -5, 'Integer32', -5],
  [4, octets, 'OctetString', octets],
  [5, null, 'Null', null],
  [6, '1.3.6', 'ObjectIdentifier', '1.3.6'],
  [64, '192.0.2.1', 'IpAddress', '192.0.2.1'],
  [65, 4294967295, 'Counter32', 4294967295],
  [66, 1, 'Gauge32', 1],
  [67, 2, 'TimeTicks', 2],
  [68, octets, 'Opaque', octets],
  [68, Buffer.from('9f78043fc00000', 'hex'), 'OpaqueFloat', 1.5],
  [70, Buffer.from('00ffffffffffffffff', 'hex'), 'Counter64', 18446744073709551615n],
  [70, Buffer.from('01', 'hex'), 'Counter64', 1n],
  [70, Buffer.alloc(0), 'Counter64', 0n],
  [128, null, 'noSuchObject', null],
  [129, null, 'noSuchInstance', null],
  [130, null, 'endOfMibView', null],
];

describe('a varbind of net-snmp', () => {
  for (const [type, value, ourType, ourValue] of cases) {
    it(`of type ${type} becomes ${ourType} ${String(ourValue)}`, () => {
      assert.deepEqual(toVarbind({ oid, type, value }), { oid, type: ourType, value: ourValue });
    });
  }

  it('of an unknown type or with an unfit value is rejected', () => {
    for (const type of [1, 3, 69, 71, 200]) assert.equal(toVarbind({ oid, type, value: 1 }), undefined);
    for (const type of [2, 4, 6, 64, 65, 66, 67, 68, 70]) {
      assert.equal(toVarbind({ oid, type, value: undefined }), undefined);
    }
  });
});

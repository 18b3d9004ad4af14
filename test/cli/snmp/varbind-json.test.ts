import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatVarbindJson } from '../../../cli/snmp/output/varbind-json.ts';
import type { SnmpValue } from '../../../src/snmp/index.ts';

const lines: readonly (readonly [string, SnmpValue, string])[] = [
  ['a number of 32 bits', { type: 'Gauge32', value: 4294967295 }, '"type":"Gauge32","value":4294967295'],
  ['a small Counter64 as text too', { type: 'Counter64', value: 7n }, '"type":"Counter64","value":"7"'],
  [
    'every digit of a large one',
    { type: 'Counter64', value: 2n ** 64n - 1n },
    '"type":"Counter64","value":"18446744073709551615"',
  ],
  ['a real number', { type: 'OpaqueFloat', value: 1.5 }, '"type":"OpaqueFloat","value":1.5'],
  [
    'what JSON has no number for',
    { type: 'OpaqueDouble', value: -Infinity },
    '"type":"OpaqueDouble","value":"-Infinity"',
  ],
  [
    'text',
    { type: 'OctetString', value: Buffer.from('Zürich\r\n"x"') },
    '"type":"OctetString","value":"Zürich\\r\\n\\"x\\""',
  ],
  ['no text', { type: 'OctetString', value: Buffer.alloc(0) }, '"type":"OctetString","value":""'],
  [
    'octets that are no UTF-8',
    { type: 'OctetString', value: Buffer.of(0x41, 0xff) },
    '"type":"OctetString","value":"41ff","encoding":"hex"',
  ],
  [
    'octets with control characters',
    { type: 'OctetString', value: Buffer.of(0x41, 0) },
    '"type":"OctetString","value":"4100","encoding":"hex"',
  ],
  ['an Opaque', { type: 'Opaque', value: Buffer.from('A') }, '"type":"Opaque","value":"41","encoding":"hex"'],
  ['an OID', { type: 'ObjectIdentifier', value: '1.3.6' }, '"type":"ObjectIdentifier","value":"1.3.6"'],
  ['an exception', { type: 'noSuchInstance', value: null }, '"type":"noSuchInstance","value":null'],
];

describe('varbinds as JSON', () => {
  for (const [what, value, expected] of lines) {
    it(`write ${what}`, () => {
      const line = formatVarbindJson({ oid: '1.3.6.1', ...value } as never);
      assert.equal(line, `{"oid":"1.3.6.1",${expected}}`);
    });
  }
});

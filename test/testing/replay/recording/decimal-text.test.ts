import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeOid } from '../../../../src/snmp/codec/oid-bytes.ts';
import { encodeOidText, readShortNumber } from '../../../../src/testing/replay/recording/decimal-text.ts';
import { anyOid } from '../../../snmp/support/arbitraries.ts';

const nearlyOid = fc.oneof(
  anyOid,
  anyOid.map((oid) => `.${oid}`),
  fc.string({
    unit: fc.constantFrom('.', '0', '1', '2', '39', '40', '4294967295', '4294967296', '-', ' ', 'x'),
    maxLength: 8,
  }),
  fc.integer({ min: 126, max: 130 }).map((arcs) => Array(arcs).fill(1).join('.')),
);

describe('decimal text in a line', () => {
  it('is the same OID, or none, as the text on its own', () => {
    fc.assert(
      fc.property(nearlyOid, fc.string({ maxLength: 3 }), (text, around) => {
        const line = Buffer.from(`${around}${text}${around}`, 'latin1');
        const start = Buffer.from(around, 'latin1').length;
        const octets = encodeOidText(line, start, start + text.length);
        assert.deepEqual(octets, encodeOid(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives each OID octets of its own', () => {
    const first = encodeOidText(Buffer.from('1.3.6'), 0, 5)!;
    encodeOidText(Buffer.from('1.2.9'), 0, 5);
    assert.deepEqual(first, encodeOid('1.3.6'));
  });

  it('is a number when it has only digits, a minus in front allowed, and at most 15 characters', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.bigInt().map(String),
          fc.string({ unit: fc.constantFrom('0', '7', '-', '+', ' ', '.', 'e'), maxLength: 17 }),
        ),
        (text) => {
          const expected = /^-?\d+$/.test(text) && text.length <= 15 ? Number(text) : undefined;
          assert.equal(readShortNumber(Buffer.from(`|${text}|`), 1, 1 + text.length), expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

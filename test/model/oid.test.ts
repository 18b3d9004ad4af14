import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareOids, isUnderOid, normalizeOid, parseOid } from '../../src/model/oid.ts';

const oid = fc.array(fc.nat(0xffffffff), { minLength: 1, maxLength: 128 }).map((arcs) => arcs.join('.'));

describe('oid', () => {
  it('reads OIDs with and without a leading dot', () => {
    fc.assert(
      fc.property(oid, (text) => {
        assert.equal(normalizeOid(text), text);
        assert.equal(normalizeOid(`.${text}`), text);
      }),
    );
  });

  it('rejects text that is not an OID', () => {
    for (const text of [
      '',
      '.',
      '1.',
      '1..3',
      '..1',
      '1.3a',
      '-1',
      '1.4294967296',
      '1,3',
      ' 1',
      Array(129).fill(1).join('.'),
    ]) {
      assert.equal(parseOid(text), undefined, JSON.stringify(text));
    }
  });

  it('stops reading hostile text at the first arc that is too large or too many', (t) => {
    const reads = t.mock.method(String.prototype, 'charCodeAt');
    assert.equal(parseOid('1'.repeat(1_000_000)), undefined);
    assert.equal(parseOid('1.'.repeat(500_000)), undefined);
    const { length } = reads.mock.calls;
    reads.mock.restore();
    assert.ok(length < 400, `${length} characters were read`);
  });

  it('sorts in a total order, a prefix first', () => {
    fc.assert(
      fc.property(oid, oid, oid, (a, b, c) => {
        assert.equal(Math.sign(compareOids(a, b)), -Math.sign(compareOids(b, a)));
        assert.equal(compareOids(a, b) === 0, a === b);
        if (compareOids(a, b) < 0 && compareOids(b, c) < 0) assert.ok(compareOids(a, c) < 0);
        assert.ok(compareOids(a, `${a}.0`) < 0);
      }),
    );
  });

  it('recognises OIDs below a root', () => {
    assert.ok(isUnderOid('1.3.6', '1.3.6'));
    assert.ok(isUnderOid('1.3.6.1', '1.3.6'));
    assert.ok(!isUnderOid('1.3.61', '1.3.6'));
    assert.ok(!isUnderOid('1.3', '1.3.6'));
  });
});

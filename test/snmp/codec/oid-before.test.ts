import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareOids } from '../../../src/model/oid.ts';
import { oidBefore } from '../../../src/snmp/codec/oid-before.ts';
import { compareOidBytes, decodeOid, encodeOid, isMinimalOid } from '../../../src/snmp/codec/oid-bytes.ts';
import { anyOid } from '../support/arbitraries.ts';

const maxArc = 0xffffffff;
/** Numbers at which an arc needs one octet more, and numbers whose low octets are 0. */
const limits = [128, 16_384, 2_097_152, 268_435_456].flatMap((limit) => [
  limit - 1,
  limit,
  limit + 1,
  3 * limit,
]);
const edgeArc = fc.oneof(
  fc.constantFrom(
    0,
    1,
    256,
    196_608,
    83_886_080,
    maxArc - 127,
    maxArc - 1,
    maxArc,
    ...limits.filter((n) => n <= maxArc),
  ),
  fc.nat(33_554_431).map((n) => n * 128),
  fc.nat(maxArc),
);
const edgeOid = fc
  .tuple(anyOid, fc.array(edgeArc, { maxLength: 4 }))
  .map(([oid, arcs]) => [oid, ...arcs].join('.'));

function before(oid: string): string {
  const octets = oidBefore(encodeOid(oid)!);
  assert.ok(isMinimalOid(octets, 0, octets.length), `${oid}: padded`);
  assert.ok(octets.length > 0, `${oid}: empty`);
  const text = decodeOid(octets);
  assert.ok(text !== undefined, `${oid}: malformed`);
  return text;
}

/** By the arcs, not the octets. The first two share an octet: 0.39 comes before 1.0, and 1.39 before 2.0. */
function expectedBefore(oid: string): string {
  const arcs = oid.split('.').map(Number);
  const last = arcs.pop()!;
  if (last > 0) return [...arcs, last - 1].join('.');
  return arcs.length > 1 ? arcs.join('.') : `${arcs[0]! - 1}.39`;
}

describe('the OID before another', () => {
  it('is valid, and the greatest of those that have no more arcs', () => {
    fc.assert(
      fc.property(edgeOid, (oid) => {
        if (oid !== '0.0') assert.equal(before(oid), expectedBefore(oid));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is smaller, and nothing with as many arcs is between the two', () => {
    fc.assert(
      fc.property(edgeOid, edgeOid, edgeArc, (oid, other, arc) => {
        if (oid === '0.0') return;
        const start = before(oid);
        assert.ok(compareOids(start, oid) < 0);
        const siblings = [other, oid.replace(/\d+$/, String(arc))];
        for (const each of siblings.filter((text) => text.split('.').length <= oid.split('.').length)) {
          assert.ok(
            compareOids(each, start) <= 0 || compareOids(each, oid) >= 0,
            `${start} < ${each} < ${oid}`,
          );
        }
        const [a, b] = [encodeOid(start)!, encodeOid(oid)!];
        assert.ok(compareOidBytes(a, 0, a.length, b, 0, b.length) < 0);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is found at every multiple of 128 that devices use as an index', () => {
    for (const arc of [128, 256, 16_384, 196_608, 83_886_080, 436_207_616, 4_294_967_168])
      assert.equal(before(`1.3.6.1.2.1.25.3.2.1.1.${arc}`), `1.3.6.1.2.1.25.3.2.1.1.${arc - 1}`);
  });

  it('is 0.0 itself for 0.0, which nothing precedes', () => {
    assert.equal(before('0.0'), '0.0');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareOids, type Oid } from '../../../src/model/oid.ts';
import { BerReader } from '../../../src/snmp/codec/ber-reader.ts';
import { BerWriter } from '../../../src/snmp/codec/ber-writer.ts';
import { encodeOid } from '../../../src/snmp/codec/oid-bytes.ts';
import { OidTextCache } from '../../../src/snmp/codec/oid-text-cache.ts';
import type { Varbind } from '../../../src/snmp/codec/snmp-value.ts';
import { OidRanges, readVarbinds, writeVarbinds } from '../../../src/snmp/codec/varbind-codec.ts';
import { WalkColumn } from '../../../src/snmp/walk/walk-column.ts';

const root = '1.3.6.1';
/** Few arcs and few lengths, so that OIDs repeat, return and leave the root. The last one needs more octets than the cache takes. */
const nearOid = fc
  .tuple(
    fc.constantFrom('1.3.6', '1.3.6.1', '1.3.6.2'),
    fc.array(fc.constantFrom(0, 1, 2, 127, 128, 4_294_967_295), { maxLength: 3 }),
  )
  .map(([head, rest]) => [head, ...rest].join('.'));
const nearVarbind: fc.Arbitrary<Varbind> = fc.oneof(
  { weight: 12, arbitrary: nearOid.map((oid) => ({ oid, type: 'Integer32', value: 1 }) as const) },
  { weight: 1, arbitrary: nearOid.map((oid) => ({ oid, type: 'endOfMibView', value: null }) as const) },
);

/** What a column takes of these replies, by the texts of the OIDs. */
function expectOf(replies: readonly (readonly Varbind[])[]) {
  const taken: Oid[] = [];
  let last = root;
  for (const { oid, type } of replies.flat()) {
    if (type === 'endOfMibView' || !oid.startsWith(`${root}.`))
      return { taken, last, reason: undefined, isDone: true };
    if (compareOids(oid, last) <= 0) return { taken, last, reason: 'notIncreasing', isDone: true };
    taken.push(oid);
    last = oid;
  }
  return { taken, last, reason: undefined, isDone: false };
}

function encode(varbinds: readonly Varbind[]): Buffer {
  const writer = new BerWriter();
  writeVarbinds(writer, varbinds);
  return Buffer.from(writer.toBuffer());
}

describe('a column of a walk', () => {
  it('takes the varbinds below its root in increasing order, however they are spread over replies', () => {
    const [texts, ranges] = [new OidTextCache(), new OidRanges()];
    fc.assert(
      fc.property(
        fc.array(fc.array(nearVarbind, { maxLength: 4 }), { maxLength: 6 }),
        fc.boolean(),
        (replies, isSorted) => {
          const sent = isSorted
            ? replies.map((reply) => reply.toSorted((a, b) => compareOids(a.oid, b.oid)))
            : replies;
          const column = new WalkColumn(root, encodeOid(root)!);
          const taken: Oid[] = [];
          for (const reply of sent) {
            const bytes = encode(reply);
            const varbinds = readVarbinds(new BerReader().open(bytes), texts, ranges);
            for (const [i, varbind] of varbinds.entries()) {
              if (!column.isDone && column.take(varbind, i, bytes, ranges)) taken.push(varbind.oid);
            }
            column.settle(bytes, ranges);
            // A datagram is reused: what the column keeps must be a copy.
            bytes.fill(0);
          }
          const { isDone, reason } = column;
          assert.deepEqual(
            { taken, reason, isDone, last: Buffer.from(column.last) },
            { ...expectOf(sent), last: encodeOid(expectOf(sent).last) },
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes nothing in front of the OID that it was told to continue behind', () => {
    const [texts, ranges] = [new OidTextCache(), new OidRanges()];
    const column = new WalkColumn(root, encodeOid(root)!);
    const take = (last: number) => {
      const bytes = encode([{ oid: `${root}.1.${last}`, type: 'Null', value: null }]);
      const [varbind] = readVarbinds(new BerReader().open(bytes), texts, ranges);
      const isTaken = column.take(varbind!, 0, bytes, ranges);
      column.settle(bytes, ranges);
      return isTaken;
    };
    assert.equal(take(5), true);
    column.skipTo(encodeOid(`${root}.1.9`)!);
    assert.equal(take(7), false);
    assert.equal(column.reason, 'notIncreasing');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Batch, rowsOf } from '../../../src/index.ts';
import { GroupSender } from '../../../src/output-kit/posting/group-sender.ts';
import { Refusal } from '../../../src/output-kit/posting/poster-answer.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

/** Batches with two values per row, numbered across the group. */
function createGroup(rowsOfBatches: readonly number[]): Batch[] {
  let next = 0;
  return rowsOfBatches.map((count, sequence) =>
    createTestBatch({
      sequence,
      rows: Array.from({ length: count }, () => {
        next++;
        const name = `r${next}`;
        return {
          labels: { name },
          values: { n: next, c: BigInt(next), t: name, b: next % 2 === 0, l: [name] },
        };
      }),
    }),
  );
}

const listValues = (batches: readonly Batch[]) =>
  batches.flatMap((batch) =>
    [...rowsOf(batch)].map(({ labels, values: { n, c, t, b, l } }) => {
      assert.deepEqual(
        [labels, c, t, b, l],
        [{ name: `r${n}` }, n, `r${n}`, (n as number) % 2 === 0, [`r${n}`]],
      );
      return n as number;
    }),
  );

interface Settings {
  readonly maxValues?: number;
  readonly maxBytes?: number;
  /** Called with the values of a request. */
  readonly take?: (values: readonly number[]) => void;
}

/** A body is the list of its values. */
function createSender({ maxValues = 1_000, maxBytes = 100_000, take = () => {} }: Settings) {
  const sent: number[][] = [];
  const encoded: number[] = [];
  const sender = new GroupSender({
    maxValues,
    maxBytes,
    prepare: (group) => group.map((batch) => ({ batch, origin: batch })),
    encode(batches) {
      const body = Buffer.from(JSON.stringify(listValues(batches)));
      encoded.push(body.length);
      return { body, plainBytes: body.length };
    },
    async send({ body }) {
      const values = JSON.parse(Buffer.from(body).toString()) as number[];
      take(values);
      sent.push(values);
    },
  });
  const { signal } = new AbortController();
  return { sent, encoded, write: async (group: readonly Batch[]) => sender.write(group, { signal }) };
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

describe('GroupSender', () => {
  it('sends requests of limited size in order, and cuts a large batch between rows', async () => {
    const { sent, write } = createSender({ maxValues: 20 });
    await write(createGroup([2, 2, 1, 9, 3]));
    assert.deepEqual(sent.flat(), upTo(17));
    assert.deepEqual(
      sent.map(({ length }) => length),
      [4, 1, 4, 4, 1, 3],
    );
  });

  it('sends a group that could not be prepared at the first attempt', async () => {
    const sent: number[] = [];
    let failures = 1;
    const sender = new GroupSender({
      maxValues: 10,
      maxBytes: 1_000,
      prepare(group) {
        if (failures-- > 0) throw new Error('not yet');
        return group.map((batch) => ({ batch, origin: batch }));
      },
      encode: (batches) => ({ body: Buffer.from(JSON.stringify(listValues(batches))), plainBytes: 1 }),
      send: async (_, batches) => void sent.push(...listValues(batches)),
    });
    const group = createGroup([2]);
    const { signal } = new AbortController();
    await assert.rejects(sender.write(group, { signal }) as Promise<void>, /not yet/);
    await sender.write(group, { signal });
    assert.deepEqual(sent, [1, 2]);
  });

  it('halves a request that is too large for maxBytes or for the server', async () => {
    const bySize = createSender({ maxBytes: 24 });
    await bySize.write(createGroup([4, 16]));
    assert.deepEqual(bySize.sent.flat(), upTo(20));
    assert.ok(bySize.sent.every((values) => JSON.stringify(values).length <= 24));

    const byAnswer = createSender({
      take(values) {
        if (values.length > 3) throw new Refusal('too large', 413);
      },
    });
    await byAnswer.write(createGroup([4, 4]));
    assert.deepEqual(byAnswer.sent.flat(), upTo(8));
  });

  it('cuts a group before encoding by the measured size of the last one', async () => {
    const { sent, encoded, write } = createSender({ maxBytes: 100 });
    const group = createGroup(Array.from({ length: 20 }, () => 5));
    await write(group);
    assert.ok(encoded.some((bytes) => bytes > 100));
    encoded.length = 0;
    await write(group);
    assert.ok(
      encoded.every((bytes) => bytes <= 100),
      String(encoded),
    );
    assert.deepEqual(sent.flat(), [...upTo(100), ...upTo(100)]);
  });

  it('continues with the failed request, also when the queue reads the group again', async () => {
    let failures = 2;
    const { sent, write } = createSender({
      maxValues: 10,
      take([first]) {
        if (first === 3 && failures-- > 0) throw new Error('later');
      },
    });
    await assert.rejects(write(createGroup([2, 2, 2])), /later/);
    await assert.rejects(write(createGroup([2, 2, 2])), /later/);
    await write(createGroup([2, 2, 2]));
    assert.deepEqual(sent, [
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    await write(createGroup([2]));
    assert.deepEqual(sent.at(-1), [1, 2], 'the same group at another time is another group');
  });

  it('drops only a bad row, and names its batch', async () => {
    const { sent, write } = createSender({
      take(values) {
        if (values.includes(7)) throw new Refusal('seven', 400);
      },
    });
    const group = createGroup([3, 3, 3, 3]);
    await assert.rejects(write(group), (error: Error & { refused?: readonly Batch[] }) => {
      assert.equal(error.name, 'PermanentError');
      assert.deepEqual(error.refused, [group[2]]);
      return true;
    });
    assert.deepEqual(
      sent.flat(),
      upTo(12).filter((value) => value !== 7),
    );
  });

  it('limits the number of halvings when nothing is accepted', async () => {
    for (const [status, most] of [
      [400, 100],
      [409, 1],
      [451, 1],
    ] as const) {
      let requests = 0;
      const { write } = createSender({
        maxValues: 10_000,
        take() {
          requests++;
          throw new Refusal('never', status);
        },
      });
      const group = createGroup(new Array(300).fill(5));
      await assert.rejects(write(group), (error: Error & { refused?: readonly Batch[] }) => {
        assert.equal(error.refused?.length, group.length);
        return true;
      });
      assert.ok(requests <= most, String(requests));
    }
  });
});

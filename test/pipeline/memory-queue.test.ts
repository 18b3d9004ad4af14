import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type DropPolicy, MemoryQueue } from '../../src/pipeline/queue/output-queue.ts';
import { createTestBatch } from '../../src/testing/index.ts';

const batchOf = (sequence: number) => createTestBatch({ sequence });
const sequencesOf = (batches: readonly { readonly sequence: number }[]) =>
  batches.map(({ sequence }) => sequence);

async function fill(queue: MemoryQueue, count: number): Promise<number> {
  let dropped = 0;
  for (let i = 1; i <= count; i++) dropped += queue.put(batchOf(i));
  return dropped;
}

describe('MemoryQueue', () => {
  it('returns batches in order, and the same ones until they are confirmed', async () => {
    const queue = new MemoryQueue(10, 'oldest');
    await fill(queue, 5);
    assert.deepEqual(sequencesOf(await queue.peek(2)), [1, 2]);
    assert.deepEqual(sequencesOf(await queue.peek(9)), [1, 2]);
    queue.confirm();
    assert.deepEqual(sequencesOf(await queue.peek(9)), [3, 4, 5]);
    assert.equal(queue.size, 3);
  });

  it('drops the oldest waiting batch, but none being delivered', async () => {
    const queue = new MemoryQueue(3, 'oldest');
    await fill(queue, 3);
    await queue.peek(1);
    assert.equal(queue.put(batchOf(4)), 1);
    assert.deepEqual(sequencesOf(await queue.peek(1)), [1]);
    queue.confirm();
    assert.deepEqual(sequencesOf(await queue.peek(9)), [3, 4]);
  });

  it('drops the new batch when all others are being delivered', async () => {
    const queue = new MemoryQueue(2, 'oldest');
    await fill(queue, 2);
    await queue.peek(2);
    assert.equal(queue.put(batchOf(3)), 1);
    assert.equal(queue.size, 2);
  });

  it('drops the newest batch with drop: newest', async () => {
    const queue = new MemoryQueue(2, 'newest');
    assert.equal(await fill(queue, 5), 3);
    assert.deepEqual(sequencesOf(await queue.peek(9)), [1, 2]);
  });

  it('has room for ten notifications instead of one batch, and drops as many for a batch as it needs', async () => {
    const eventOf = (sequence: number) => ({ ...batchOf(sequence), kind: 'event' as const });
    const queue = new MemoryQueue(3, 'oldest');
    for (let i = 1; i <= 30; i++) assert.equal(queue.put(eventOf(i)), 0);
    assert.equal(queue.put(eventOf(31)), 1);
    await queue.peek(5);
    assert.equal(queue.put(batchOf(32)), 10);
    assert.equal(queue.size, 21);
    assert.deepEqual(sequencesOf(await queue.peek(9)), [2, 3, 4, 5, 6]);
    queue.confirm();
    const rest = sequencesOf(await queue.peek(99));
    assert.deepEqual([rest.length, rest[0], rest.at(-1)], [16, 17, 32]);
    assert.equal(queue.put(eventOf(33)), 0);
    assert.equal(queue.put(batchOf(34)), 1, 'only what waits gives way');
    assert.deepEqual([queue.hasLast, queue.size], [false, 17]);
  });

  it('is empty after close has returned the number of lost batches', async () => {
    const queue = new MemoryQueue(5, 'oldest');
    await fill(queue, 4);
    await queue.peek(1);
    assert.equal(await queue.close(), 4);
    assert.equal(queue.size, 0);
  });

  it('counts every loss and keeps the order through any sequence of events', async () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant('put' as const), isEvent: fc.boolean() }),
      fc.record({ do: fc.constant('peek' as const), max: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constant('confirm' as const) }),
    );
    const policy = fc.constantFrom<DropPolicy>('oldest', 'newest');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        policy,
        fc.array(action, { maxLength: 60 }),
        async (max, drop, actions) => {
          const queue = new MemoryQueue(max, drop);
          let [accepted, dropped, last] = [0, 0, 0];
          let peeked: readonly { readonly sequence: number }[] = [];
          let delivered = 0;
          for (const step of actions) {
            if (step.do === 'put')
              dropped += queue.put({
                ...batchOf(++accepted),
                ...(step.isEvent && { kind: 'event' as const }),
              });
            if (step.do === 'peek') peeked = await queue.peek(step.max);
            if (step.do === 'confirm') {
              queue.confirm();
              for (const { sequence } of peeked) {
                assert.ok(sequence > last, 'order');
                last = sequence;
              }
              delivered += peeked.length;
              peeked = [];
            }
            assert.equal(accepted, delivered + dropped + queue.size);
            assert.ok(queue.size <= 10 * max);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

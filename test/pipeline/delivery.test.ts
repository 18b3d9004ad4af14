import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Delivery } from '../../src/pipeline/delivery.ts';
import { PermanentError } from '../../src/pipeline/permanent-error.ts';
import { MemoryQueue } from '../../src/pipeline/queue/output-queue.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';

function putMany(delivery: Delivery, count: number, from = 1): void {
  for (let i = 0; i < count; i++) delivery.put(createTestBatch({ sequence: from + i }));
}

function assertNothingLost({ counters }: Delivery): void {
  const { accepted, delivered, dropped, queued } = counters;
  assert.equal(accepted, delivered + dropped + queued, JSON.stringify(counters));
}

describe('Delivery', () => {
  it('writes every batch once, in order, in groups of at most group_batches', async () => {
    const groups: number[][] = [];
    const { delivery } = openDelivery((group) => void groups.push(group.map(({ sequence }) => sequence)), {
      group_batches: 3,
    });
    putMany(delivery, 10);
    await until(() => delivery.counters.delivered === 10);
    assert.deepEqual(groups.flat(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.ok(groups.every((group) => group.length <= 3));
    await delivery.drain();
  });

  it('waits for a group to fill, and no longer than group_wait_ms', async () => {
    const sizes: number[] = [];
    const { delivery } = openDelivery((group) => void sizes.push(group.length), {
      group_batches: 4,
      group_wait_ms: 30,
    });
    putMany(delivery, 3);
    await sleep(5);
    assert.deepEqual(sizes, []);
    putMany(delivery, 1);
    await until(() => sizes.length === 1);
    putMany(delivery, 2);
    await until(() => sizes.length === 2);
    assert.deepEqual(sizes, [4, 2]);
    await delivery.drain();
  });

  it('starts no attempt when the drain deadline passes during a read of the queue', async () => {
    class SlowQueue extends MemoryQueue {
      override async peek(max: number) {
        await sleep(60);
        return super.peek(max);
      }
    }
    let attempts = 0;
    const hang = () => {
      attempts++;
      return new Promise<void>(() => {});
    };
    const settings = { drain_timeout_ms: 10, attempt_timeout_ms: 60_000 };
    const { delivery } = openDelivery(hang, settings, (max, drop) => new SlowQueue(max, drop));
    putMany(delivery, 1);
    await delivery.drain();
    assert.equal(attempts, 0);
    assert.equal(delivery.counters.droppedBy.stopped, 1);
    assertNothingLost(delivery);
  });

  it('does not wait for a group larger than the queue', async () => {
    const { delivery } = openDelivery(() => {}, {
      max_queued_batches: 5,
      group_batches: 500,
      group_wait_ms: 60_000,
    });
    putMany(delivery, 5);
    await until(() => delivery.counters.delivered === 5);
    await delivery.drain();
  });

  it('repeats the same group until it succeeds', async () => {
    const attempts: number[][] = [];
    const { delivery } = openDelivery((group) => {
      attempts.push(group.map(({ sequence }) => sequence));
      if (attempts.length < 4) throw new Error('not yet');
    });
    putMany(delivery, 1);
    await until(() => attempts.length > 0);
    putMany(delivery, 2, 2);
    await until(() => delivery.counters.delivered === 3);
    assert.deepEqual(attempts.slice(0, 4), [[1], [1], [1], [1]]);
    assert.equal(delivery.counters.retries, 3);
    await delivery.drain();
  });

  it('aborts an attempt that takes too long and tries again', async () => {
    const signals: AbortSignal[] = [];
    const { delivery } = openDelivery(
      (_, { signal }) => {
        signals.push(signal);
        return signals.length === 1 ? new Promise(() => {}) : undefined;
      },
      { attempt_timeout_ms: 15 },
    );
    putMany(delivery, 1);
    await until(() => delivery.counters.delivered === 1);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    await delivery.drain();
  });

  it('drops the oldest or the newest batches when the queue is full, and counts them', async () => {
    for (const drop of ['oldest', 'newest'] as const) {
      const written: number[] = [];
      let open: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      let isWriting = false;
      const { delivery, happened } = openDelivery(
        async (group) => {
          isWriting = true;
          await gate;
          written.push(...group.map(({ sequence }) => sequence));
        },
        { max_queued_batches: 3, group_batches: 1, drop },
      );
      putMany(delivery, 1);
      await until(() => isWriting);
      putMany(delivery, 5, 2);
      assert.equal(delivery.counters.dropped, 3);
      assertNothingLost(delivery);
      open();
      await delivery.drain();
      assert.deepEqual(written, drop === 'oldest' ? [1, 5, 6] : [1, 2, 3]);
      assert.deepEqual(happened, [
        ['output.dropped', { output: 'out', batches: 3, values: 0, why: 'the queue is full' }],
      ]);
    }
  });

  it('drains the queue at a stop without waiting for full groups', async () => {
    const { delivery } = openDelivery(() => sleep(1), { group_batches: 10, group_wait_ms: 60_000 });
    putMany(delivery, 25);
    await delivery.drain();
    assert.equal(delivery.counters.delivered, 25);
  });

  it('ends a drain at its deadline, aborts the writer and counts the rest as dropped', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let seen: AbortSignal | undefined;
    const { delivery, happened, lines } = openDelivery(
      (_, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
      { drain_timeout_ms: 20, group_batches: 2 },
    );
    putMany(delivery, 5);
    let isOver = false;
    const drained = delivery.drain().then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    t.mock.timers.tick(19);
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    t.mock.timers.tick(1);
    await drained;
    assert.equal(seen?.aborted, true);
    assert.deepEqual(happened, [
      ['output.dropped', { output: 'out', batches: 5, values: 0, why: 'the collector stopped' }],
    ]);
    assert.equal(delivery.counters.dropped, 5);
    assertNothingLost(delivery);
    const logged = lines.at(-1)!;
    assert.equal(
      logged['message'],
      'out lost 5 batches: they waited in memory at the stop and were not delivered within 20 ms. With `queue: disk` they would be kept.',
    );
    assert.equal(logged['batches'], 5);
    assert.equal(logged['error'], undefined, 'the stop itself is no reason');
  });

  it('logs nothing at a stop with an empty queue', async () => {
    const { delivery, lines } = openDelivery(() => {});
    putMany(delivery, 2);
    await delivery.drain();
    assert.deepEqual(lines, []);
  });

  it('makes one more attempt at a stop during a pause after a failure', async () => {
    let isBroken = true;
    const { delivery } = openDelivery(
      () => {
        if (isBroken) throw new Error('down');
      },
      { retry_from_ms: 60_000, retry_to_ms: 60_000 },
    );
    putMany(delivery, 2);
    await until(() => delivery.counters.retries === 1);
    isBroken = false;
    await delivery.drain();
    assert.equal(delivery.counters.delivered, 2);
  });

  it('makes no attempt at a stop that leaves no time to drain', async () => {
    let attempts = 0;
    const refuse = () => {
      attempts++;
      throw new Error('503');
    };
    const { delivery } = openDelivery(refuse, { drain_timeout_ms: 0, retry_from_ms: 60_000 });
    putMany(delivery, 1);
    await until(() => delivery.counters.retries === 1);
    await delivery.drain();
    assert.equal(attempts, 1);
    assert.equal(delivery.counters.droppedBy.stopped, 1);
    assertNothingLost(delivery);
  });

  it('reads a queue again after a failed read', async () => {
    let failures = 2;
    class FailingQueue extends MemoryQueue {
      override async peek(max: number) {
        if (failures-- > 0) throw new Error('disk');
        return super.peek(max);
      }
    }
    const { delivery } = openDelivery(
      () => {},
      {},
      (max, drop) => new FailingQueue(max, drop),
    );
    putMany(delivery, 2);
    await until(() => delivery.counters.delivered === 2);
    assert.equal(delivery.counters.retries, 2);
    await delivery.drain();
  });

  it('counts batches after its end as dropped', async () => {
    const { delivery } = openDelivery(() => {});
    await delivery.drain();
    putMany(delivery, 2);
    assert.equal(delivery.counters.dropped, 2);
    assertNothingLost(delivery);
  });

  it('reports a stall and a recovery once each', async () => {
    let isBroken = true;
    const { delivery, happened } = openDelivery(
      () => {
        if (isBroken) throw new Error('down', { cause: new Error('refused') });
      },
      { stall_after_ms: 10 },
    );
    putMany(delivery, 3);
    await until(() => happened.length > 0);
    await sleep(15);
    isBroken = false;
    await until(() => delivery.counters.delivered === 3);
    assert.deepEqual(happened, [
      ['output.stalled', { output: 'out', queuedBatches: 3, why: 'down (refused)' }],
      ['output.recovered', { output: 'out', queuedBatches: 0 }],
    ]);
    await delivery.drain();
  });

  it('keeps accepted = delivered + dropped + queued, whatever the writer does', async () => {
    const outcome = fc.constantFrom('pass', 'slow', 'fail', 'permanent', 'hang');
    await fc.assert(
      fc.asyncProperty(
        fc.array(outcome, { maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 8 }),
        fc.constantFrom('oldest', 'newest'),
        fc.integer({ min: 1, max: 7 }),
        async (outcomes, bursts, drop, max) => {
          const written = new Set<number>();
          const plan = [...outcomes];
          const { delivery } = openDelivery(
            async (group, { signal }) => {
              const next = plan.shift() ?? 'pass';
              if (next === 'slow') await sleep(2, undefined, { signal });
              if (next === 'fail') throw new Error('again');
              if (next === 'permanent') throw new PermanentError('never');
              if (next === 'hang') await new Promise(() => {});
              for (const { sequence } of group) written.add(sequence);
            },
            { max_queued_batches: max, group_batches: 3, drop, attempt_timeout_ms: 5, drain_timeout_ms: 30 },
          );
          let sequence = 0;
          for (const burst of bursts) {
            putMany(delivery, burst, sequence + 1);
            sequence += burst;
            assertNothingLost(delivery);
            await sleep(burst % 2);
            assertNothingLost(delivery);
          }
          await delivery.drain();
          assertNothingLost(delivery);
          assert.equal(delivery.counters.queued, 0);
          assert.equal(delivery.counters.delivered, written.size);
        },
      ),
      { numRuns: 25 },
    );
  });
});

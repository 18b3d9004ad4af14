import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SendPace, StartPace } from '../../src/timing/pace.ts';

/** A clock that only waiting moves; `lateMs` is how late its timers are. */
function clock(lateMs = 0) {
  let nowMs = 1_000_000;
  return {
    now: () => nowMs,
    wait: async (ms: number, signal?: AbortSignal) => {
      await Promise.resolve();
      signal?.throwIfAborted();
      nowMs += Math.ceil(ms) + lateMs;
    },
    stall: (ms: number) => {
      nowMs += ms;
    },
  };
}

async function sendTimes(pace: SendPace, now: () => number, count: number): Promise<number[]> {
  const times: number[] = [];
  const take = async () => {
    await pace.take();
    times.push(now());
  };
  await Promise.all(Array.from({ length: count }, take));
  return times;
}

const mostInASecond = (times: readonly number[]) =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1000).length));

describe('SendPace', () => {
  it('keeps its rate with many callers and with late timers', async () => {
    for (const [everyMs, lateMs] of [
      [20, 0],
      [20, 3],
      [1, 1],
    ] as const) {
      const time = clock(lateMs);
      const times = await sendTimes(new SendPace(everyMs, time), time.now, 3000);
      const perSecond = 1000 / everyMs;
      assert.ok(mostInASecond(times) <= perSecond + 20 / everyMs + 1, `${mostInASecond(times)}`);
      const seconds = (times.at(-1)! - times[0]!) / 1000;
      assert.ok(3000 / seconds > perSecond * 0.95, `${3000 / seconds} per second`);
    }
  });

  it('does not catch up after a stall', async () => {
    const time = clock();
    const pace = new SendPace(20, time);
    await sendTimes(pace, time.now, 10);
    time.stall(5000);
    assert.ok(mostInASecond(await sendTimes(pace, time.now, 200)) <= 52);
  });

  it('delays later callers by the packets that were charged', async () => {
    const time = clock();
    const pace = new SendPace(20, time);
    const before = await sendTimes(pace, time.now, 1);
    pace.charge(50);
    const [after] = await sendTimes(pace, time.now, 1);
    assert.ok(after! - before[0]! >= 1000);
  });

  it('says how long a caller would wait, and counts packets that are sent together', async () => {
    const time = clock();
    const pace = new SendPace(20, time, 0);
    assert.equal(pace.waitMs, 0);
    const groups = [3, 2].map((packets) => pace.take(undefined, packets));
    assert.equal(pace.waitMs, 100);
    await groups[0];
    assert.equal(pace.waitMs, 60 + 40);
    await groups[1];
    assert.equal(pace.waitMs, 40);
    const [after] = await sendTimes(pace, time.now, 1);
    assert.equal(after, 1_000_100);
  });

  it('rejects waiting callers when their signal aborts, and serves the others', async () => {
    const time = clock();
    const pace = new SendPace(20, time);
    const abort = new AbortController();
    await sendTimes(pace, time.now, 2);
    const given = pace.take(abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(given, /enough/);
    assert.equal((await sendTimes(pace, time.now, 5)).length, 5);
  });
});

describe('StartPace', () => {
  it('allows no more starts than its rate within any second', () => {
    const pace = new StartPace(20);
    const starts: number[] = [];
    for (let nowMs = 0; nowMs < 10_000; nowMs++) {
      while (pace.take(nowMs) === 0) starts.push(nowMs);
    }
    assert.equal(starts.length, 200);
    for (const [i, startMs] of starts.entries()) {
      assert.ok((starts[i + 20] ?? Number.POSITIVE_INFINITY) - startMs >= 1_000);
    }
  });

  it('allows one start per window when the rate is below one per second', () => {
    const rare = new StartPace(0.1);
    assert.deepEqual([rare.take(0), rare.take(1), rare.take(10_000)], [0, 9_999, 0]);
  });
});

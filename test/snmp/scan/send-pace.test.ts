import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SendPace } from '../../../src/snmp/index.ts';

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

describe('a pace of sends', () => {
  it('is kept whoever asks, with timers that are late too', async () => {
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
      assert.ok(3000 / seconds > perSecond * 0.95, `${3000 / seconds} a second`);
    }
  });

  it('makes up for no stall', async () => {
    const time = clock();
    const pace = new SendPace(20, time);
    await sendTimes(pace, time.now, 10);
    time.stall(5000);
    assert.ok(mostInASecond(await sendTimes(pace, time.now, 200)) <= 52);
  });

  it('is slower after packets that left without asking', async () => {
    const time = clock();
    const pace = new SendPace(20, time);
    const before = await sendTimes(pace, time.now, 1);
    pace.charge(50);
    const [after] = await sendTimes(pace, time.now, 1);
    assert.ok(after! - before[0]! >= 1000);
  });

  it('lets go of those that wait when the signal aborts, and goes on for others', async () => {
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

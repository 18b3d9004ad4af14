import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../src/timing/clock.ts';
import { Wheel, WheelEntry } from '../../src/timing/wheel.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { until } from '../support/until.ts';

/** A clock that counts the timers that were set on it. */
class CountingClock extends SimulatedClock {
  timersSet = 0;

  override setTimer(run: () => void, afterMs: number) {
    this.timersSet++;
    return super.setTimer(run, afterMs);
  }
}

function build() {
  const clock = new CountingClock();
  const called: { readonly entry: WheelEntry; readonly lateMs: number }[] = [];
  const wheel = new Wheel<WheelEntry>(clock, (entry, nowMs) => {
    called.push({ entry, lateMs: nowMs - entry.dueMs });
  });
  const add = (afterMs: number) => {
    const entry = new WheelEntry();
    wheel.add(entry, clock.now() + afterMs);
    return entry;
  };
  return { clock, wheel, called, add };
}

describe('Wheel', () => {
  it('calls every entry once, never early and at most one tick late', () => {
    const { clock, wheel, called, add } = build();
    const entries = Array.from({ length: 10_000 }, (_, i) => add((i * 7919.3) % 120_000));
    clock.pass(121_000);
    assert.equal(new Set(called.map(({ entry }) => entry)).size, entries.length);
    assert.equal(called.length, entries.length);
    assert.ok(called.every(({ lateMs }) => lateMs >= 0 && lateMs <= 10));
    assert.equal(wheel.size, 0);
  });

  it('handles an overdue entry that a handler adds on its next turn', async () => {
    const expired: WheelEntry[] = [];
    const [first, second] = [new WheelEntry(), new WheelEntry()];
    const wheel = new Wheel<WheelEntry>(systemClock, (entry) => {
      expired.push(entry);
      if (entry === first) wheel.add(second, performance.now() - 500);
    });
    wheel.add(first, performance.now() + 5);
    await until(() => expired.length === 2);
    wheel.stop();
  });

  it('handles an overdue entry within two ticks, on a clock that only the test moves', () => {
    const clock = new SimulatedClock();
    const expiredMs: number[] = [];
    const [first, second] = [new WheelEntry(), new WheelEntry()];
    const wheel = new Wheel<WheelEntry>(clock, (entry) => {
      expiredMs.push(clock.now());
      if (entry === first) wheel.add(second, clock.now() - 500);
    });
    wheel.add(first, clock.now() + 5);
    clock.pass(100);
    assert.equal(expiredMs.length, 2);
    assert.ok(expiredMs[1]! - expiredMs[0]! <= 20);
  });

  it('does not call an entry that was removed, also by the handler of another entry of the same tick', () => {
    const clock = new SimulatedClock();
    const [first, second] = [new WheelEntry(), new WheelEntry()];
    const called: WheelEntry[] = [];
    const wheel = new Wheel<WheelEntry>(clock, (entry) => {
      called.push(entry);
      wheel.remove(entry === first ? second : first);
    });
    const removed = new WheelEntry();
    for (const entry of [first, second, removed]) wheel.add(entry, clock.now() + 50);
    wheel.remove(removed);
    wheel.remove(removed);
    assert.equal(wheel.size, 2);
    clock.pass(200);
    assert.equal(called.length, 1);
    assert.equal(wheel.size, 0);
  });

  it('moves an entry that is added again', () => {
    const { clock, wheel, called, add } = build();
    const entry = add(50);
    wheel.add(entry, clock.now() + 500);
    assert.equal(wheel.size, 1);
    clock.pass(400);
    assert.equal(called.length, 0);
    clock.pass(200);
    assert.equal(called.length, 1);
  });

  it('reaches every entry after a stall that is longer than a turn', () => {
    const { clock, called, add } = build();
    for (let i = 0; i < 1_000; i++) add(i * 60);
    clock.stall(10 * 60_000);
    clock.pass(100);
    assert.equal(called.length, 1_000);
  });

  it('sets one timer for any number of entries, and a new one only for an earlier entry', () => {
    const { clock, add } = build();
    for (let i = 0; i < 1_000; i++) add(5_000 + i);
    assert.equal(clock.timersSet, 1);
    add(1_000);
    assert.equal(clock.timersSet, 2);
  });

  it('sets no timer while it is empty, and few for entries that are far off', () => {
    const { clock, called, add } = build();
    add(3_600_000);
    clock.pass(3_700_000);
    assert.equal(called.length, 1);
    // One for each turn of the wheel, which takes forty seconds, at most.
    assert.ok(clock.timersSet <= 3_600 / 40 + 2, `${clock.timersSet} timers`);
    const before = clock.timersSet;
    clock.pass(3_600_000);
    assert.equal(clock.timersSet, before);
  });

  it('calls nothing after it was stopped', () => {
    const { clock, wheel, called, add } = build();
    add(50);
    wheel.stop();
    clock.pass(1_000);
    assert.equal(called.length, 0);
  });
});

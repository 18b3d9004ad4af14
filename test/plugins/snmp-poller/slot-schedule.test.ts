import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DueSlot,
  earlyWithinMs,
  phaseMsOf,
  SlotSchedule,
} from '../../../plugins/snmp-poller/slot-schedule.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const minute = 60_000;

function nameOf(device: number): string {
  return `10.${device >> 16}.${(device >> 8) & 255}.${device & 255} 161`;
}

/** Of times within a minute. */
function countBusiestSecond(times: readonly number[]): number {
  const seconds = new Uint32Array(60);
  for (const ms of times) seconds[Math.min(59, Math.floor(ms / 1000))]!++;
  return Math.max(...seconds);
}

/** A schedule with this number of devices, and the slots of each device. */
function open(devices: number, clock = new SimulatedClock()) {
  const schedule = new SlotSchedule(clock);
  const slots = Array.from({ length: devices }, (): DueSlot[] => []);
  const skipped: number[] = new Array(devices).fill(0);
  const opened = slots.map((list, i) =>
    schedule.open(nameOf(i), minute, {
      isHeld: false,
      onSlot: (_, slot) => void list.push({ ...slot }),
      onSkipped: (_, count) => {
        skipped[i]! += count;
      },
    }),
  );
  return { clock, schedule, slots, skipped, opened };
}

describe('slots', () => {
  it('are spread evenly: the busiest second of 100,000 devices has at most 1.2 times the mean', () => {
    const phases = Array.from({ length: 100_000 }, (_, i) => phaseMsOf(nameOf(i), minute));
    const busiest = countBusiestSecond(phases);
    assert.ok(busiest <= (1.2 * 100_000) / 60, String(busiest));
  });

  it('come once per interval, at most one tick late, and the first one within one interval', () => {
    const { clock, slots } = open(500);
    clock.pass(minute);
    assert.ok(slots.every(({ length }) => length === 1));
    clock.pass(9 * minute);
    for (const list of slots) {
      assert.equal(list.length, 10);
      assert.ok(list.every(({ lateMs }) => lateMs >= 0 && lateMs <= 10));
      assert.ok(list.every(({ slotMs }, i) => i === 0 || slotMs - list[i - 1]!.slotMs === minute));
    }
  });

  it('are at the same times of day after a restart', () => {
    const first = open(20);
    first.clock.pass(2 * minute);
    const later = new SimulatedClock();
    later.stall(7 * minute + 1234);
    const second = open(20, later);
    later.pass(2 * minute);
    for (const [i, list] of first.slots.entries()) {
      assert.equal(second.slots[i]![0]!.slotMs % minute, list[0]!.slotMs % minute);
    }
  });

  for (const stepMs of [3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
    it(`come once per interval when the wall clock is set by ${stepMs / 3_600_000} h`, () => {
      const { clock, slots, skipped } = open(200);
      clock.pass(2 * minute);
      clock.step(stepMs);
      clock.pass(3 * minute);
      assert.ok(slots.every(({ length }) => length === 5));
      assert.ok(skipped.every((count) => count === 0));
      for (const list of slots) {
        const steps = list.slice(1).map(({ slotMs }, i) => slotMs - list[i]!.slotMs);
        assert.deepEqual(
          steps.filter((ms) => ms !== minute),
          [minute + stepMs],
        );
      }
    });
  }

  it('that were missed during ten minutes of suspend are counted and not repeated, and the next ones are spread', () => {
    const { clock, slots, skipped } = open(600);
    clock.pass(minute);
    clock.stall(10 * minute);
    clock.pass(100);
    const atOnce = slots.filter(({ length }) => length > 1).length;
    assert.ok(atOnce <= 600 * 0.11 + 5, `${atOnce} together`);
    clock.pass(minute - 100);
    for (const [i, list] of slots.entries()) {
      assert.equal(list.length, 2, 'one poll per device within the last interval');
      assert.ok(skipped[i]! >= 9 && skipped[i]! <= 11);
    }
  });

  it('end when they are closed, including slots that are due at the same moment', () => {
    const clock = new SimulatedClock();
    const schedule = new SlotSchedule(clock);
    let count = 0;
    const listener = { isHeld: false, onSlot: () => void count++, onSkipped: () => {} };
    const opened = Array.from({ length: 3 }, () => schedule.open('same', minute, listener));
    clock.pass(minute);
    assert.equal(count, 3);
    for (const slot of opened) slot.close();
    assert.equal(schedule.size, 0);
    clock.pass(3 * minute);
    assert.equal(count, 3);
  });

  it('continue where another collector ended: none twice, a slightly late one at once, and the others are counted', () => {
    const device = '10.0.0.1 161';
    /** Opens the schedule a while after the other collector has closed it, and waits for one interval. */
    const continueAfter = (goneMs: number, knownLateMs: number) => {
      const clock = new SimulatedClock();
      const polled: number[] = [];
      const listen = (into: number[]) => ({
        isHeld: false,
        onSlot: (_: number, { slotMs }: DueSlot) => void into.push(slotMs),
        onSkipped: (_: number, count: number) => void skipped.push(count),
      });
      const skipped: number[] = [];
      const first = new SlotSchedule(clock).open(device, minute, listen(polled));
      clock.pass(2.3 * minute);
      const inMs = first.nextMs - clock.now();
      first.close();
      clock.pass(goneMs);
      const aboutMs = clock.now() - goneMs + inMs + knownLateMs;
      new SlotSchedule(clock).open(device, minute, listen(polled), aboutMs);
      clock.pass(minute);
      const slots = polled.map((slotMs) => Math.round((slotMs - polled[0]!) / minute));
      return { slots, skipped };
    };
    const nextMs = (() => {
      const clock = new SimulatedClock();
      const slot = new SlotSchedule(clock).open(device, minute, {
        isHeld: false,
        onSlot() {},
        onSkipped() {},
      });
      clock.pass(2.3 * minute);
      return slot.nextMs - clock.now();
    })();
    assert.deepEqual(continueAfter(500, 0), { slots: nextMs < 500 ? [0, 1, 2, 3] : [0, 1, 2], skipped: [] });
    assert.deepEqual(continueAfter(nextMs + 5_000, 2_000), { slots: [0, 1, 2, 3], skipped: [] });
    assert.deepEqual(continueAfter(nextMs + 20_000, 2_000), { slots: [0, 1, 3], skipped: [1] });
    assert.deepEqual(continueAfter(nextMs + 3 * minute + 20_000, 0), { slots: [0, 1, 6], skipped: [4] });
  });

  it('that pass while they are held are skipped when that is over, and those of another time at once', () => {
    const clock = new SimulatedClock();
    const polled: number[] = [];
    const skipped: number[] = [];
    const listener = {
      isHeld: false,
      onSlot: (_: number, { slotMs }: DueSlot) => void polled.push(slotMs),
      onSkipped: (_: number, count: number) => void skipped.push(count),
    };
    const slot = new SlotSchedule(clock).open('10.0.0.1 161', minute, listener);
    clock.pass(1.5 * minute);
    const firstMs = slot.nextMs;
    listener.isHeld = true;
    clock.pass(3 * minute);
    assert.equal(slot.nextMs, firstMs);
    assert.deepEqual(skipped, []);
    slot.skipUntil(firstMs - 1);
    assert.deepEqual(skipped, []);
    slot.skipUntil(firstMs + 1);
    assert.deepEqual(skipped, [1]);
    assert.equal(slot.nextMs, firstMs + minute);
    listener.isHeld = false;
    clock.pass(minute);
    assert.deepEqual(skipped, [1, 2]);
    assert.equal(Math.round((polled.at(-1)! - polled.at(-2)!) / minute), 4);
  });

  it('of intervals longer than the wheel come on time', () => {
    const clock = new SimulatedClock();
    const schedule = new SlotSchedule(clock);
    const due: number[] = [];
    const everyMs = 3_600_000;
    schedule.open('far', everyMs, {
      isHeld: false,
      onSlot: () => void due.push(clock.now()),
      onSkipped: () => {},
    });
    clock.pass(3 * everyMs);
    assert.equal(due.length, 3);
    assert.ok(Math.abs(due[2]! - due[0]! - 2 * everyMs) <= 10);
  });

  it('are counted while they are open', () => {
    const { schedule, opened } = open(1_000);
    assert.equal(schedule.size, 1_000);
    opened[0]!.close();
    assert.equal(schedule.size, 999);
  });
});

const hour = 60 * minute;

/** Slots of a long interval for this number of devices, and when each of them came on the monotonic clock. */
function openSlots(devices: number, everyMs = hour) {
  const clock = new SimulatedClock();
  const schedule = new SlotSchedule(clock);
  const cameMs = Array.from({ length: devices }, (): number[] => []);
  const skipped: number[] = [];
  const opened = cameMs.map((list, i) =>
    schedule.open(nameOf(i), everyMs, {
      isHeld: false,
      onSlot: () => void list.push(clock.now()),
      onSkipped: (_, count) => void skipped.push(count),
    }),
  );
  return { clock, opened, cameMs, skipped };
}

describe('early slots', () => {
  it('of 10,000 devices come within a minute, evenly', () => {
    const { clock, opened, cameMs } = openSlots(10_000);
    const startMs = clock.now();
    for (const slot of opened) slot.hasten();
    clock.pass(earlyWithinMs + 10);
    for (const list of cameMs) assert.equal(list.length, 1);
    const busiest = countBusiestSecond(cameMs.map(([firstMs]) => firstMs! - startMs));
    assert.ok(busiest <= 1.4 * (10_000 / 60), `${busiest} in one second`);
  });

  it('come as evenly when many devices have their regular slots in that minute', () => {
    const { clock, opened, cameMs } = openSlots(100_000, 5 * minute);
    const startMs = clock.now();
    for (const slot of opened) slot.hasten();
    clock.pass(earlyWithinMs + 10);
    for (const list of cameMs) assert.ok(list.length >= 1);
    const busiest = countBusiestSecond(cameMs.map(([firstMs]) => firstMs! - startMs));
    assert.ok(busiest <= 1.2 * (100_000 / 60), `${busiest} in one second`);
  });

  it('do not move the regular slots', () => {
    const regular = openSlots(500);
    const { clock, opened, cameMs } = openSlots(500);
    for (const slot of opened) slot.hasten();
    for (const each of [regular.clock, clock]) each.pass(2 * hour);
    const extra = cameMs.filter((list, i) => {
      const isExtra = list.length > regular.cameMs[i]!.length;
      assert.deepEqual(isExtra ? list.slice(1) : list, regular.cameMs[i]);
      return isExtra;
    });
    // A device whose regular slot comes within the minute needs no early one.
    assert.ok(extra.length > 450 && extra.length < 500, `${extra.length} early slots`);
  });

  it('are not added when a slot comes within a minute already', () => {
    const { clock, slots, opened } = open(500);
    for (const slot of opened) slot.hasten();
    clock.pass(minute);
    for (const slot of opened) slot.hasten();
    clock.pass(minute);
    assert.ok(slots.every(({ length }) => length === 2));
  });

  it('come once for any number of calls', () => {
    const { clock, opened, cameMs } = openSlots(500);
    for (const slot of [...opened, ...opened]) slot.hasten();
    clock.pass(minute);
    for (const list of cameMs) assert.equal(list.length, 1);
  });

  it('that pass while the process is suspended are skipped, and can be added again', () => {
    const { clock, opened, cameMs, skipped } = openSlots(600);
    for (const slot of opened) slot.hasten();
    clock.stall(10 * minute);
    clock.pass(100);
    assert.ok(cameMs.flat().length <= 600 * 0.12, `${cameMs.flat().length} together`);
    assert.equal(skipped.length + cameMs.flat().length, 600);
    for (const [i, slot] of opened.entries()) if (cameMs[i]!.length === 0) slot.hasten();
    clock.pass(minute);
    assert.ok(cameMs.every(({ length }) => length >= 1));
  });
});

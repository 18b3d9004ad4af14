import { type Clock, WallTime, Wheel, WheelEntry } from '../../src/timing/index.ts';

/** A slot that has come. */
export interface DueSlot {
  /** When it was due, by the current wall clock. */
  readonly slotMs: number;
  readonly lateMs: number;
}

export interface SlotListener {
  /** Whether slots wait, because another collector may have them. When this is over, those that have passed are skipped. */
  readonly isHeld: boolean;
  onSlot(everyMs: number, slot: DueSlot): void;
  /** Reports the number of slots that passed while the process did not run, or while they were held. */
  onSkipped(everyMs: number, slots: number): void;
}

/** An early slot comes within this time. */
export const earlyWithinMs = 60_000;

/** Calls every listener once per interval, each at its own time. A missed slot is not repeated later. */
export class SlotSchedule {
  readonly #clock: Clock;
  readonly #wheel: Wheel<OpenSlot>;
  readonly #wallTime: WallTime;
  /** The beginning of 1970 on the monotonic clock, by the wall clock at the start. */
  readonly #originMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wheel = new Wheel(clock, (slot, nowMs) => slot.onDue(nowMs));
    this.#wallTime = new WallTime(clock);
    this.#originMs = -this.#wallTime.at(0);
  }

  get size(): number {
    return this.#wheel.size;
  }

  /**
   * The position of the slot in the interval depends only on `device`. The first slot is the next one, or the one about `aboutMs`, also
   * when that has passed.
   */
  open(device: string, everyMs: number, listener: SlotListener, aboutMs?: number): OpenSlot {
    const phaseMs = phaseMsOf(device, everyMs);
    const fromMs = aboutMs === undefined ? this.#clock.now() : aboutMs - everyMs / 2;
    const dueMs = nextSlotMs(phaseMs, everyMs, fromMs, this.#originMs);
    return new OpenSlot({ everyMs, dueMs, earlyMs: earlyMsOf(device, everyMs) }, listener, {
      clock: this.#clock,
      wallTime: this.#wallTime,
      wheel: this.#wheel,
    });
  }

  close(): void {
    this.#wheel.stop();
  }
}

interface SlotTimes {
  readonly everyMs: number;
  /** The first regular slot, on the monotonic clock. */
  readonly dueMs: number;
  /** How long after a call of `hasten` the early slot comes. */
  readonly earlyMs: number;
}

interface SlotTools {
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly wheel: Wheel<OpenSlot>;
}

/** A listener's place in the schedule. */
export class OpenSlot extends WheelEntry {
  readonly everyMs: number;
  readonly #earlyMs: number;
  readonly #listener: SlotListener;
  readonly #tools: SlotTools;
  /** The next regular slot. An early slot comes before it and does not move it. */
  #regularMs: number;
  #isOpen = true;

  constructor({ everyMs, dueMs, earlyMs }: SlotTimes, listener: SlotListener, tools: SlotTools) {
    super();
    this.everyMs = everyMs;
    this.#earlyMs = earlyMs;
    this.#listener = listener;
    this.#tools = tools;
    this.#regularMs = dueMs;
    tools.wheel.add(this, dueMs);
  }

  /** The next regular slot, or the first one that is held. */
  get nextMs(): number {
    return this.#regularMs;
  }

  /** Adds an early slot, unless a slot comes within `earlyWithinMs` already. */
  hasten(): void {
    const { clock, wheel } = this.#tools;
    const nowMs = clock.now();
    if (this.#isOpen && this.dueMs - nowMs > earlyWithinMs) wheel.add(this, nowMs + this.#earlyMs);
  }

  onDue(nowMs: number): void {
    if (!this.#isOpen) return;
    const { dueMs, everyMs } = this;
    const { wallTime, wheel } = this.#tools;
    const lateMs = nowMs - dueMs;
    const isEarly = dueMs < this.#regularMs;
    const regular = Math.max(0, Math.floor((nowMs - this.#regularMs) / everyMs) + 1);
    const nextMs = this.#regularMs + regular * everyMs;
    wheel.add(this, nextMs);
    if (this.#listener.isHeld) return;
    this.#regularMs = nextMs;
    const isLate = lateMs > toleratedMs(isEarly ? earlyWithinMs : everyMs);
    const skipped = isLate ? Math.max(1, regular) : regular - 1;
    if (skipped > 0) this.#listener.onSkipped(everyMs, skipped);
    if (!isLate) this.#listener.onSlot(everyMs, { slotMs: wallTime.at(dueMs), lateMs });
  }

  /** Skips what was due up to this time. */
  skipUntil(untilMs: number): void {
    const slots = Math.floor((untilMs - this.#regularMs) / this.everyMs) + 1;
    if (slots <= 0) return;
    this.#regularMs += slots * this.everyMs;
    this.#listener.onSkipped(this.everyMs, slots);
  }

  close(): void {
    if (this.#isOpen) this.#tools.wheel.remove(this);
    this.#isOpen = false;
  }
}

/**
 * A slot that is later than a tenth of its interval is skipped: the next slot is as good, and after a stall all late slots would
 * run together. Short intervals tolerate a second, or half of their length.
 */
function toleratedMs(everyMs: number): number {
  return Math.max(0.1 * everyMs, Math.min(0.5 * everyMs, 1_000));
}

/** The position of a device's slot in its interval: the same after every start, and evenly spread over all devices. */
export function phaseMsOf(device: string, everyMs: number): number {
  return (hash(`${device} ${everyMs}`) / 2 ** 32) * everyMs;
}

/**
 * How long an early slot waits: spread evenly over all devices. The place in the interval would leave a gap, because the devices whose slot
 * comes soon, which need no early one, are neighbours there.
 */
export function earlyMsOf(device: string, everyMs: number): number {
  return phaseMsOf(`${device} ${everyMs}`, earlyWithinMs);
}

/**
 * The first slot after `fromMs`. Slots are counted from `originMs`, the beginning of 1970 on this clock as it was known at the start.
 * So a restart does not move them, and neither does a change of the wall clock.
 */
function nextSlotMs(phaseMs: number, everyMs: number, fromMs: number, originMs: number): number {
  const since = fromMs - originMs - phaseMs;
  return originMs + phaseMs + (Math.floor(since / everyMs) + 1) * everyMs;
}

/** FNV-1a with the final mix of MurmurHash3, for names that differ only in their last digit. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

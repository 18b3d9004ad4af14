import type { Clock } from './clock.ts';

/** Entries that are due within one tick are handled together. */
const tickMs = 10;
/** Enough for forty seconds; an entry that is due later is looked at once per turn of the wheel. */
const slotCount = 4_096;

/** What waits in a wheel. All fields except `dueMs` belong to the wheel. */
export class WheelEntry {
  /** When the entry is due, on the monotonic clock. The wheel sets it. */
  dueMs = 0;
  wheelSlot = -1;
  wheelNext: this | undefined = undefined;
  wheelPrevious: this | undefined = undefined;
}

/** Any number of moments on one timer: adding and removing cost a few writes, whatever the number of entries. */
export class Wheel<Entry extends WheelEntry> {
  readonly #clock: Pick<Clock, 'now' | 'setTimer' | 'clearTimer'>;
  readonly #onDue: (entry: Entry, nowMs: number) => void;
  readonly #slots: (Entry | undefined)[] = new Array(slotCount).fill(undefined);
  readonly #onTimer = () => this.#turn();
  #size = 0;
  /** This tick and all ticks before it have been handled. */
  #tick = 0;
  #timer: unknown = undefined;
  /** The tick that the timer is set for. */
  #timerTick = Number.POSITIVE_INFINITY;

  /** Calls `onDue` once for each entry, never early. The entry has left the wheel by then and may be added again. */
  constructor(
    clock: Pick<Clock, 'now' | 'setTimer' | 'clearTimer'>,
    onDue: (entry: Entry, nowMs: number) => void,
  ) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#size;
  }

  /** Moves the entry when it is in the wheel already. */
  add(entry: Entry, dueMs: number): void {
    if (entry.wheelSlot >= 0) this.remove(entry);
    if (this.#timerTick === Number.POSITIVE_INFINITY) this.#tick = Math.floor(this.#clock.now() / tickMs);
    entry.dueMs = dueMs;
    // At least the next tick that will be looked at: an overdue entry would otherwise wait a whole turn.
    const tick = Math.max(Math.ceil(dueMs / tickMs), this.#tick + 1);
    const slot = tick % slotCount;
    const head = this.#slots[slot];
    entry.wheelSlot = slot;
    entry.wheelNext = head;
    entry.wheelPrevious = undefined;
    if (head !== undefined) head.wheelPrevious = entry;
    this.#slots[slot] = entry;
    this.#size++;
    if (tick < this.#timerTick) this.#setTimer(tick);
  }

  /** Does nothing when the entry is not in the wheel. */
  remove(entry: Entry): void {
    if (entry.wheelSlot < 0) return;
    const { wheelNext: next, wheelPrevious: previous } = entry;
    if (previous === undefined) this.#slots[entry.wheelSlot] = next;
    else previous.wheelNext = next;
    if (next !== undefined) next.wheelPrevious = previous;
    entry.wheelSlot = -1;
    entry.wheelNext = undefined;
    entry.wheelPrevious = undefined;
    this.#size--;
  }

  stop(): void {
    this.#clock.clearTimer(this.#timer);
    this.#timerTick = Number.POSITIVE_INFINITY;
  }

  #setTimer(tick: number): void {
    if (this.#timerTick !== Number.POSITIVE_INFINITY) this.#clock.clearTimer(this.#timer);
    this.#timerTick = tick;
    this.#timer = this.#clock.setTimer(this.#onTimer, Math.max(0, tick * tickMs - this.#clock.now()));
  }

  #turn(): void {
    if (this.#timerTick === Number.POSITIVE_INFINITY) return;
    const nowMs = this.#clock.now();
    const end = Math.floor(nowMs / tickMs);
    // After a long stall one turn over all slots reaches every entry.
    const first = Math.max(this.#tick + 1, end - slotCount + 1);
    for (let tick = first; tick <= end; tick++) {
      // What is added meanwhile goes behind this tick, so that this turn or the next one reaches it.
      this.#tick = tick;
      if (this.#slots[tick % slotCount] !== undefined) this.#visit(tick % slotCount, nowMs);
    }
    this.#tick = Math.max(this.#tick, end);
    this.#setNextTimer();
  }

  #visit(slot: number, nowMs: number): void {
    const due: Entry[] = [];
    for (let entry = this.#slots[slot]; entry !== undefined; entry = entry.wheelNext) {
      if (entry.dueMs <= nowMs) due.push(entry);
    }
    for (const entry of due) {
      // An earlier one's handler may have removed or moved this one.
      if (entry.wheelSlot !== slot || entry.dueMs > nowMs) continue;
      this.remove(entry);
      this.#onDue(entry, nowMs);
    }
  }

  /** For the next slot that holds something, although it may be due turns later. */
  #setNextTimer(): void {
    this.#clock.clearTimer(this.#timer);
    this.#timerTick = Number.POSITIVE_INFINITY;
    if (this.#size === 0) return;
    let tick = this.#tick + 1;
    while (this.#slots[tick % slotCount] === undefined) tick++;
    this.#setTimer(tick);
  }
}

import type { Clock } from './clock.ts';

const tickMs = 10;
const slotCount = 1024;

/** What waits in the wheel. The fields belong to the wheel. */
export class Deadline {
  deadlineMs = 0;
  wheelSlot = -1;
  wheelNext: Deadline | undefined = undefined;
  wheelPrevious: Deadline | undefined = undefined;
}

/** One timer for all deadlines: adding and removing cost a few writes, whatever the number of entries. */
export class DeadlineWheel {
  readonly #clock: Clock;
  readonly #expire: (entry: Deadline) => void;
  readonly #slots: (Deadline | undefined)[] = new Array(slotCount).fill(undefined);
  #size = 0;
  #tick = 0;
  #timer: unknown = undefined;

  constructor(clock: Clock, expire: (entry: Deadline) => void) {
    this.#clock = clock;
    this.#expire = expire;
  }

  add(entry: Deadline, deadlineMs: number): void {
    if (entry.wheelSlot >= 0) this.remove(entry);
    if (this.#timer === undefined) {
      this.#tick = Math.floor(this.#clock.now() / tickMs);
      this.#arm();
    }
    entry.deadlineMs = deadlineMs;
    // One tick later than due, never earlier; at least the next one that will be looked at.
    const tick = Math.max(Math.floor(deadlineMs / tickMs) + 1, this.#tick + 1);
    const slot = tick % slotCount;
    const head = this.#slots[slot];
    entry.wheelSlot = slot;
    entry.wheelNext = head;
    entry.wheelPrevious = undefined;
    if (head !== undefined) head.wheelPrevious = entry;
    this.#slots[slot] = entry;
    this.#size++;
  }

  remove(entry: Deadline): void {
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
    if (this.#timer !== undefined) this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = this.#clock.setTimer(() => {
      // After a stall the replies that wait in the sockets come first: timers run before the poll phase, immediates after.
      setImmediate(() => this.#turn());
    }, tickMs);
  }

  #turn(): void {
    if (this.#timer === undefined) return;
    const now = this.#clock.now();
    const target = Math.floor(now / tickMs);
    const from = Math.max(this.#tick + 1, target - slotCount + 1);
    for (let tick = from; tick <= target; tick++) {
      // What is added meanwhile goes behind this tick: what is overdue already is not looked at a whole turn later.
      this.#tick = tick;
      this.#visit(tick % slotCount, now);
    }
    this.#tick = target;
    if (this.#size > 0) this.#arm();
    else this.#timer = undefined;
  }

  #visit(slot: number, now: number): void {
    const due: Deadline[] = [];
    for (let entry = this.#slots[slot]; entry !== undefined; entry = entry.wheelNext) {
      if (entry.deadlineMs <= now) due.push(entry);
    }
    for (const entry of due) {
      // An earlier one's expiry may have removed or moved this one.
      if (entry.wheelSlot !== slot || entry.deadlineMs > now) continue;
      this.remove(entry);
      this.#expire(entry);
    }
  }
}

import type { Clock } from './clock.ts';

/** Something that is due at a moment of the monotonic clock. */
export interface WheelEntry {
  /** Set before the entry is added; the wheel it is in may be asked to remove it. */
  readonly dueMs: number;
  onDue(nowMs: number): void;
}

/** What is due within so much time is done in one go. */
const tickMs = 10;
/** Spokes for forty seconds; entries further off are looked at once a turn. */
const spokeCount = 4_096;

/** Any number of moments on one timer. */
export class SlotWheel {
  readonly #clock: Clock;
  readonly #spokes: WheelEntry[][] = Array.from({ length: spokeCount }, () => []);
  /** This tick and all before it are done. */
  #tick: number;
  #size = 0;
  #timer: unknown = undefined;
  #timerTick = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tick = Math.floor(clock.now() / tickMs);
  }

  get size(): number {
    return this.#size;
  }

  add(entry: WheelEntry): void {
    const tick = Math.max(this.#tick + 1, tickOf(entry.dueMs));
    this.#spokes[tick % spokeCount]!.push(entry);
    this.#size++;
    if (tick < this.#timerTick) this.#setTimer(tick);
  }

  /** False for an entry that is not in the wheel. Nothing about the entry may have changed since it was added. */
  remove(entry: WheelEntry): boolean {
    const tick = tickOf(entry.dueMs);
    for (const spoke of [this.#spokes[tick % spokeCount]!, this.#spokes[(this.#tick + 1) % spokeCount]!]) {
      const position = spoke.indexOf(entry);
      if (position < 0) continue;
      spoke.splice(position, 1);
      this.#size--;
      return true;
    }
    return false;
  }

  close(): void {
    this.#clock.clearTimer(this.#timer);
    for (const spoke of this.#spokes) spoke.length = 0;
    this.#size = 0;
  }

  #setTimer(tick: number): void {
    this.#clock.clearTimer(this.#timer);
    this.#timerTick = tick;
    this.#timer = this.#clock.setTimer(() => this.#turn(), Math.max(0, tick * tickMs - this.#clock.now()));
  }

  #turn(): void {
    this.#timerTick = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.now();
    const end = Math.floor(nowMs / tickMs);
    const due: WheelEntry[] = [];
    // After a long stall one turn over all spokes meets everything.
    const first = Math.max(this.#tick + 1, end - spokeCount + 1);
    for (let tick = first; tick <= end; tick++) this.#collect(tick % spokeCount, nowMs, due);
    this.#tick = end;
    this.#size -= due.length;
    for (const entry of due) entry.onDue(nowMs);
    this.#setNextTimer();
  }

  #collect(position: number, nowMs: number, due: WheelEntry[]): void {
    const spoke = this.#spokes[position]!;
    let kept = 0;
    for (const entry of spoke) {
      if (entry.dueMs <= nowMs) due.push(entry);
      else spoke[kept++] = entry;
    }
    spoke.length = kept;
  }

  /** At the next spoke that holds something; what it holds may be due turns later. */
  #setNextTimer(): void {
    if (this.#size === 0) return;
    let tick = this.#tick + 1;
    while (this.#spokes[tick % spokeCount]!.length === 0) tick++;
    this.#setTimer(tick);
  }
}

function tickOf(ms: number): number {
  return Math.ceil(ms / tickMs);
}

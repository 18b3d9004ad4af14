import type { Clock } from './clock.ts';

/** How long work may keep the event loop busy without a break: replies of devices wait no longer than this for their turn. */
const sliceMs = 5;

/** What slices are measured and divided by. */
type SliceClock = Pick<Clock, 'now' | 'setTimer'>;

const immediateClock: SliceClock = {
  now: () => performance.now(),
  setTimer: (run) => setImmediate(run),
};

/** Runs pieces of work side by side, one slice for all in each turn of the event loop: many of them keep it no busier than one. */
export class SliceTurns {
  readonly #clock: SliceClock;
  readonly #waiting: (() => void)[] = [];
  #endMs = Number.NEGATIVE_INFINITY;
  /** Whether the end of this turn of the event loop is awaited. */
  #isTimed = false;
  /** Whether the slice of this turn began because nothing else used it. */
  #isOwn = false;

  constructor(clock: SliceClock = immediateClock) {
    this.#clock = clock;
  }

  /**
   * For work that also waits for other things, called before each small piece of it. Undefined when the piece may run now; otherwise it may run when
   * the promise resolves. All callers share one slice in each turn, which the first of them begins.
   */
  rest(): Promise<void> | undefined {
    const nowMs = this.#clock.now();
    if (nowMs < this.#endMs) {
      this.#time();
      if (this.#waiting.length === 0) return undefined;
    }
    if (!this.#isTimed) {
      this.#endMs = nowMs + sliceMs;
      this.#isOwn = true;
      process.nextTick(this.#resume);
    }
    return this.#nextTurn().then(this.#time);
  }

  /** Runs work to its end. Its first slice runs immediately. Rejects with what the work throws. */
  async run<Result>(work: Generator<void, Result>): Promise<Result> {
    let endMs = this.#clock.now() + sliceMs;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) return step.value;
      if (this.#clock.now() < endMs) continue;
      await this.#nextTurn();
      endMs = this.#endMs;
    }
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#time();
    });
  }

  readonly #time = (): void => {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#clock.setTimer(this.#giveTurn, 0);
  };

  readonly #giveTurn = (): void => {
    this.#isTimed = false;
    if (this.#waiting.length === 0) return;
    // Replies of devices come between two slices.
    if (this.#isOwn) this.#time();
    else {
      this.#endMs = this.#clock.now() + sliceMs;
      this.#resume();
      if (this.#waiting.length > 0) this.#time();
    }
    this.#isOwn = false;
  };

  /** When those before have done their part and time is left, the next one goes on. */
  readonly #resume = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length === 0) return;
    queueMicrotask(() => process.nextTick(() => this.#clock.now() < this.#endMs && this.#resume()));
  };
}

/** Runs a piece of work that no others run beside. */
export function workInSlices<Result>(work: Generator<void, Result>, clock?: SliceClock): Promise<Result> {
  return new SliceTurns(clock).run(work);
}

/** Runs work that is written for slices to its end, without a break. */
export function runToEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Calls `work` for each item in order, in slices. Rejects with what it throws, and with the signal's reason when that aborts. */
export function runInSlices<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
  signal: AbortSignal,
): Promise<void> {
  return workInSlices(runEach(items, work, signal));
}

function* runEach<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
  signal: AbortSignal,
): Generator<void, void> {
  for (const item of items) {
    signal.throwIfAborted();
    work(item);
    yield;
  }
}

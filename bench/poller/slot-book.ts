import type { DeviceRef, EventBus, EventMap } from '../../src/index.ts';

interface ExpectedSlot {
  readonly device: DeviceRef;
  /** Such as `every-60s`. */
  readonly plan: string;
  readonly dueMs: number;
}

/** Records which slots were polled, and when, from the poller's events and the wall clock. */
export class SlotBook {
  readonly #errorsMs: number[] = [];
  readonly #polls = new Map<string, number>();
  #expected: readonly ExpectedSlot[] = [];
  readonly #isWatched: (device: DeviceRef) => boolean;
  #openedMs = Number.POSITIVE_INFINITY;

  constructor(events: Pick<EventBus, 'on'>, isWatched: (device: DeviceRef) => boolean) {
    this.#isWatched = isWatched;
    const note = ({ device, plan, slotMs, durationMs }: EventMap['poll.completed' | 'poll.failed']) => {
      // Events give a slot in whole milliseconds.
      if (slotMs < this.#openedMs - 1 || !isWatched(device)) return;
      this.#errorsMs.push(Math.abs(Date.now() - durationMs - slotMs));
      this.#polls.set(keyOf(device, plan), (this.#polls.get(keyOf(device, plan)) ?? 0) + 1);
    };
    events.on('poll.completed', note);
    events.on('poll.failed', note);
  }

  /** Starts counting. These are the next slots. */
  open(expected: readonly ExpectedSlot[]): void {
    this.#expected = expected.filter(({ device }) => this.#isWatched(device));
    this.#openedMs = Date.now();
  }

  /** The slots of the time since `open`. */
  close(windowMs: number) {
    const endMs = this.#openedMs + windowMs;
    let [slots, missedSlots] = [0, 0];
    for (const { device, plan, dueMs } of this.#expected) {
      const everyMs = 1000 * Number.parseFloat(plan.slice('every-'.length));
      // A slot may have come while the others were read.
      const firstMs = dueMs < this.#openedMs ? dueMs + everyMs : dueMs;
      const due = Math.max(0, Math.ceil((endMs - firstMs) / everyMs));
      slots += due;
      missedSlots += Math.max(0, due - (this.#polls.get(keyOf(device, plan)) ?? 0));
    }
    const sorted = this.#errorsMs.sort((a, b) => a - b);
    const at = (share: number) => Math.round(10 * (sorted[Math.floor(share * sorted.length)] ?? 0)) / 10;
    return { slots, missedSlots, slotErrorP99Ms: at(0.99), slotErrorMaxMs: at(0.999_999) };
  }
}

function keyOf({ ip, port }: DeviceRef, plan: string): string {
  return `${ip} ${port} ${plan}`;
}

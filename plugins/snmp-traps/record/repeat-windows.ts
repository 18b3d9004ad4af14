interface Window<Item> {
  readonly content: string;
  readonly endMs: number;
  repeats: number;
  last: Item;
}

/** More things than repeat at the same time in practice; the oldest window ends early. */
const maxWindows = 10_000;

/** Finds notifications that repeat. The first one of a window counts as new; of the others only their number and the last one are kept. */
export class RepeatWindows<Item> {
  readonly #withinMs: number;
  readonly #onEnd: (last: Item, repeats: number) => void;
  /** By what it is about, the one that ends first at the beginning. */
  readonly #windows = new Map<string, Window<Item>>();

  /** `onEnd` is called for each window with repeats. */
  constructor(withinMs: number, onEnd: (last: Item, repeats: number) => void) {
    this.#withinMs = withinMs;
    this.#onEnd = onEnd;
  }

  /** Whether the window of `about` has the same content. Other content ends that window and begins a new one. */
  isRepeat(about: string, content: string, item: Item, nowMs: number): boolean {
    if (this.#withinMs === 0) return false;
    this.endOld(nowMs);
    const known = this.#windows.get(about);
    if (known?.content === content) {
      known.repeats++;
      known.last = item;
      return true;
    }
    this.end(about);
    this.#windows.set(about, { content, endMs: nowMs + this.#withinMs, repeats: 0, last: item });
    if (this.#windows.size > maxWindows) this.end(this.#windows.keys().next().value!);
    return false;
  }

  end(about: string): void {
    const window = this.#windows.get(about);
    if (window === undefined) return;
    this.#windows.delete(about);
    if (window.repeats > 0) this.#onEnd(window.last, window.repeats);
  }

  endOld(nowMs: number): void {
    for (const [about, { endMs }] of this.#windows) {
      if (endMs > nowMs) return;
      this.end(about);
    }
  }

  /** The first one was not recorded: the next one is the first. */
  forget(about: string): void {
    this.#windows.delete(about);
  }
}

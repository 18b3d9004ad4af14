import { EVENT_ID, type Event } from 'js-yaml';

/**
 * A text in which each bracket that begins a line and closes a list or a map has one more space in front. People indent
 * such a bracket like the key that holds the list; YAML 1.2 wants it further in (§7.4).
 */
export class IndentedBrackets {
  readonly text: string;
  readonly #original: string;
  /** Where the original has no space, in order. */
  readonly #offsets: readonly number[];

  private constructor(original: string, offsets: readonly number[]) {
    let start = 0;
    const parts = offsets.map((offset) => {
      const part = original.slice(start, offset);
      start = offset;
      return part;
    });
    this.text = [...parts, original.slice(start)].join(' ');
    this.#original = original;
    this.#offsets = offsets;
  }

  /** Indents the brackets from the line on that holds `from`. */
  static after(from: number, text: string): IndentedBrackets {
    const start = text.lastIndexOf('\n', from - 1) + 1;
    const lines = text.slice(start).matchAll(/^ *(?=[\]}])/gm);
    return new IndentedBrackets(
      text,
      Array.from(lines, ({ index }) => start + index),
    );
  }

  /** Without the spaces inside scalars of `events`, where they would belong to the value. */
  excludeScalars(events: readonly Event[]): IndentedBrackets {
    const scalars = events.filter((event) => event.type === EVENT_ID.SCALAR);
    let next = 0;
    const offsets = this.#offsets.filter((offset, index) => {
      const space = offset + index;
      while (next < scalars.length && scalars[next]!.valueEnd <= space) next++;
      return space < (scalars[next]?.valueStart ?? Number.POSITIVE_INFINITY);
    });
    return offsets.length === this.#offsets.length ? this : new IndentedBrackets(this.#original, offsets);
  }

  /** The offset in the original of a position in `text`. */
  originalOffset(position: number): number {
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle]! + middle < position) low = middle + 1;
      else high = middle;
    }
    return position - low;
  }
}

import { holdsOctets, type RawColumn } from './raw-column.ts';

/**
 * The last values of one column of octets. A row whose octets are the same string keeps its value; when this holds for all
 * rows, the list of values is the same object. One per column and place that polls it.
 */
export class ColumnMemory<Value = string | readonly string[]> {
  #octets: RawColumn['octets'] = [];
  /** One for all rows that have the same, as they usually do. */
  #tags: Uint8Array | number = 0;
  #values: readonly (Value | undefined)[] = [];

  /** The row's last value, when its octets are a string and did not change. */
  find(raw: RawColumn, row: number): Value | undefined {
    const octets = raw.octets[row];
    const tag = typeof this.#tags === 'number' ? this.#tags : this.#tags[row];
    const isSame = typeof octets === 'string' && octets === this.#octets[row] && raw.tags[row] === tag;
    return isSame && holdsOctets(raw.tags[row]) ? this.#values[row] : undefined;
  }

  /** The whole list, when the octets of every row are the same strings as before and all rows have values. */
  findAll(raw: RawColumn): readonly (Value | undefined)[] | undefined {
    if (raw.count !== this.#values.length) return undefined;
    for (let row = 0; row < raw.count; row++) if (this.find(raw, row) === undefined) return undefined;
    return this.#values;
  }

  /** Remembers what `raw` decoded to. Returns the list from before when it is equal. */
  keep(raw: RawColumn, values: readonly (Value | undefined)[]): readonly (Value | undefined)[] {
    const tags = raw.tags.subarray(0, raw.count);
    this.#tags = tags.every((tag) => tag === tags[0]) ? (tags[0] ?? 0) : tags.slice();
    if (!isSame(this.#values, values)) this.#values = values;
    // Most texts are their octets: one list serves as both.
    const isPlain = values.length === raw.count && values.every((value, row) => value === raw.octets[row]);
    this.#octets = isPlain ? (this.#values as RawColumn['octets']) : raw.octets.slice(0, raw.count);
    return this.#values;
  }

  /** Keeps this list instead of its own when they are equal. */
  share(values: readonly (Value | undefined)[]): void {
    if (!isSame(this.#values, values)) return;
    if (this.#octets === (this.#values as unknown)) this.#octets = values as RawColumn['octets'];
    this.#values = values;
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((value, row) => value === now[row]);
}

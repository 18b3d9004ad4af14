import { holdsOctets, type RawColumn } from './raw-column.ts';

/**
 * The last values of one column of octets. A row whose octets are the same string keeps its value; when this holds for all
 * rows, the list of values is the same object. One per column and place that polls it.
 */
export class ColumnMemory<Value = string | readonly string[]> {
  #octets: RawColumn['octets'] = [];
  #tags: Uint8Array = new Uint8Array(0);
  #values: readonly (Value | undefined)[] = [];

  /** The row's last value, when its octets are a string and did not change. */
  find(raw: RawColumn, row: number): Value | undefined {
    const octets = raw.octets[row];
    const isSame =
      typeof octets === 'string' && octets === this.#octets[row] && raw.tags[row] === this.#tags[row];
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
    this.#octets = raw.octets.slice(0, raw.count);
    this.#tags = raw.tags.slice(0, raw.count);
    const kept = this.#values;
    const isSame = kept.length === values.length && values.every((value, row) => value === kept[row]);
    if (!isSame) this.#values = values;
    return this.#values;
  }
}

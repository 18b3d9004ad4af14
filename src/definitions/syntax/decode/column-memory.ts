import { holdsOctets, type RawColumn } from './raw-column.ts';

/**
 * What one column of octets last decoded to. As long as a row's string of octets is the same, so is its value, and as
 * long as all rows are, the list of values is the very same. One for each column and each place that polls it.
 */
export class ColumnMemory<Value = string | readonly string[]> {
  #octets: RawColumn['octets'] = [];
  #tags: Uint8Array = new Uint8Array(0);
  #values: readonly (Value | undefined)[] = [];

  /** The row's last value, where its octets are a string and have not changed. */
  find(raw: RawColumn, row: number): Value | undefined {
    const octets = raw.octets[row];
    const isSame =
      typeof octets === 'string' && octets === this.#octets[row] && raw.tags[row] === this.#tags[row];
    return isSame && holdsOctets(raw.tags[row]) ? this.#values[row] : undefined;
  }

  /** The whole list, where every row's octets are the same strings as before and all of them had values. */
  findAll(raw: RawColumn): readonly (Value | undefined)[] | undefined {
    if (raw.count !== this.#values.length) return undefined;
    for (let row = 0; row < raw.count; row++) if (this.find(raw, row) === undefined) return undefined;
    return this.#values;
  }

  /** Remembers what `raw` decoded to. Answers with the list it had before where that says the same. */
  keep(raw: RawColumn, values: readonly (Value | undefined)[]): readonly (Value | undefined)[] {
    this.#octets = raw.octets.slice(0, raw.count);
    this.#tags = raw.tags.slice(0, raw.count);
    const kept = this.#values;
    const isSame = kept.length === values.length && values.every((value, row) => value === kept[row]);
    if (!isSame) this.#values = values;
    return this.#values;
  }
}

import type { DeviceRef } from './device.ts';
import { type GapReason, gapReasons } from './gap.ts';

/**
 * One record of one device at one time: rows × columns. Immutable once it is in the pipeline: processors return another
 * batch, which may share columns; outputs may keep references to any part.
 */
export interface Batch {
  readonly device: DeviceRef;
  /** The tags of the device, which apply to every row. */
  readonly tags: Readonly<Record<string, string>>;
  /** The object id whose record this is, such as `IF-MIB::ifEntry`. */
  readonly record: string;
  /** Names the poll plan; together with `device`, `slotMs` and `sequence` it lets a receiver drop repeats. */
  readonly plan: string;
  readonly generation: number;
  readonly sequence: number;
  /** Wall clock, milliseconds since 1970: when the poll was due, and when its last reply came. */
  readonly slotMs: number;
  readonly timeMs: number;
  /** The time from one poll of the record to the next. Absent when the source has no fixed interval. */
  readonly intervalMs?: number | undefined;
  /**
   * When the device's agent started, in milliseconds since 1970: its counters count from then. A source gives the same value until
   * the agent restarts. Absent when the source does not know it.
   */
  readonly startedMs?: number | undefined;
  /** `event`: something that happened. Outputs that keep the latest numbers do not receive it. */
  readonly kind?: 'event' | undefined;
  /** The id of the notification that the batch is, or that made the source measure it. */
  readonly trapId?: string | undefined;
  /**
   * In a cluster: the shard of the device, and the epoch of the collector that asked it. Of two batches of a shard, the one with
   * the lower epoch is of a former owner. Absent when a collector is alone.
   */
  readonly shard?: number | undefined;
  readonly epoch?: number | undefined;
  /** What the MIBs call its fields, the same object for every poll. Absent when the source has no MIBs. */
  readonly mib?: MibNames | undefined;
  readonly rows: Rows;
  readonly columns: readonly Column[];
}

/** The names of the MIBs by field, for outputs that keep them. It stays in the process: stored batches do not have it. */
export interface MibNames {
  /** By label: the index column, or the attribute that is a tag. */
  readonly labels: Readonly<Record<string, MibName>>;
  /** By column: its attribute, and what its values were multiplied by and divided by. */
  readonly columns: Readonly<Record<string, MibColumn>>;
}

export interface MibName {
  readonly name: string;
  /** Whether the texts are MAC addresses. */
  readonly isMac: boolean;
}

export interface MibColumn extends MibName {
  /** How the names of a state are served; by default its number is. */
  readonly stateAs?: 'label' | 'set' | undefined;
  readonly times: number;
  readonly over: number;
}

/** What identifies the rows. The same object serves every poll until a row or a label changes. */
export interface Rows {
  readonly count: number;
  /** A stable identity for each row. */
  readonly keys: readonly string[];
  /** Dimensions, by field: index parts and attributes marked `tag`. One entry per row. */
  readonly labels: Readonly<Record<string, readonly (string | undefined)[]>>;
}

/** How a number behaves over time: a counter only grows, a gauge goes up and down. */
export type Metric = 'counter' | 'gauge';

interface ColumnBase {
  /** Where the value lands in a record, such as `netif.bytes.in`. */
  readonly field: string;
  readonly metric?: Metric;
  readonly unit?: string;
  /** What the definition says about the field, the same object for every poll. */
  readonly about?: ColumnFacts | undefined;
  /** An index into `gapReasons` for each row; undefined when no value is missing. */
  readonly gaps?: Uint8Array | undefined;
}

/** What outputs can tell their readers about a field, or need to know to write it well. */
export interface ColumnFacts {
  /** What the value means. It comes from a definition, never from a device. */
  readonly description?: string | undefined;
  /** For a text that is a state, and a list of flags: the name of each number. */
  readonly names?: ReadonlyMap<number, string> | undefined;
  /** Whether the texts are dates, in ISO 8601. */
  readonly isTime?: boolean | undefined;
  /** How it was computed from the counter in the field without the suffix. */
  readonly derived?: 'delta' | 'rate' | undefined;
  /**
   * Of a counter: the number at which it begins again at zero, scaled like its values. Absent when its definition does not say more than that it
   * has 32 bits, or 64 if its values need them.
   */
  readonly wrapsAt?: number | undefined;
  /** Whether a change of the value means that the counters of the row have lost their continuity, as of ifCounterDiscontinuityTime. */
  readonly marksReset?: boolean | undefined;
}

/** One field of all rows; `kind` says how its values are stored. */
export type Column = NumberColumn | CounterColumn | BooleanColumn | TextColumn | ListColumn;

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Float64Array;
}

/** Unsigned 64-bit values with all their bits: the low word of row r at 2r, the high word at 2r + 1. */
export interface CounterColumn extends ColumnBase {
  readonly kind: 'counter';
  readonly words: Uint32Array;
}

/** 1 is true. Where `gaps` marks a value as missing, the stored value has no meaning, as in all columns of numbers. */
export interface BooleanColumn extends ColumnBase {
  readonly kind: 'boolean';
  readonly values: Uint8Array;
}

export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  readonly values: readonly (string | undefined)[];
}

/** Bitmaps: the names of the bits that are set. */
export interface ListColumn extends ColumnBase {
  readonly kind: 'list';
  readonly values: readonly (readonly string[] | undefined)[];
}

/** Whether two sets of tags are equal. A processor that adds tags makes a new object for every batch. */
export function hasSameTags(left: Batch['tags'], right: Batch['tags']): boolean {
  if (left === right) return true;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}

/** One value, as `valueAt` gives it. */
export type Value = number | bigint | boolean | string | readonly string[];

/** The value at `row`; a counter is a number where that is exact, else a bigint. Undefined for a gap. */
export function valueAt(column: Column, row: number): Value | undefined {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return undefined;
  switch (column.kind) {
    case 'number':
      return column.values[row];
    case 'counter':
      return counterAt(column.words, row);
    case 'boolean':
      return column.values[row] === 1;
    default:
      return column.values[row];
  }
}

/** Why the value at `row` is missing; undefined when it is present. */
export function gapAt(column: Column, row: number): GapReason | undefined {
  const code = column.gaps?.[row] ?? 0;
  return code === 0 ? undefined : gapReasons[code];
}

/** A row as a document, for code that does not need columns. */
export interface Row {
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
}

/** The rows one by one. Missing labels and values are left out. */
export function* rowsOf(batch: Batch): Generator<Row> {
  const labelColumns = Object.entries(batch.rows.labels);
  for (let row = 0; row < batch.rows.count; row++) {
    const labels: Record<string, string> = {};
    for (const [field, column] of labelColumns) {
      const label = column[row];
      if (label !== undefined) labels[field] = label;
    }
    const values: Record<string, Value> = {};
    for (const column of batch.columns) {
      const value = valueAt(column, row);
      if (value !== undefined) values[column.field] = value;
    }
    yield { key: batch.rows.keys[row] ?? '', labels, values };
  }
}

function counterAt(words: Uint32Array, row: number): number | bigint {
  const low = words[2 * row] ?? 0;
  const high = words[2 * row + 1] ?? 0;
  return high < 0x200000 ? high * 0x1_0000_0000 + low : (BigInt(high) << 32n) | BigInt(low);
}

import type { DeviceTime } from '../counter/device-time.ts';
import { slotOf } from '../plan/poll-plan.ts';
import type { CounterState } from './record-memory.ts';

/** The counters of one table as they were last read, for the collector that polls the device next. JSON. */
export interface TableCounters {
  /** How long ago they were read. */
  readonly ageMs: number;
  readonly upTicks?: number | undefined;
  readonly boots?: number | undefined;
  /** Of the rows. */
  readonly keys: readonly string[];
  readonly columns: readonly (EncodedValues & { readonly field: string; readonly column: string })[];
  readonly discontinuity?: EncodedValues | undefined;
}

/** One value per row. */
interface EncodedValues {
  /** The type or the status of each, as base64. */
  readonly status: string;
  /** 8 octets of each, as base64. */
  readonly words: string;
}

export function exportCounters(counters: CounterState, nowMs: number): TableCounters {
  const { plan, keys, at } = counters;
  const columns = plan.columns.flatMap(({ head, isCounter, sources }) =>
    (isCounter ? sources : []).map((source) => ({
      field: head.field,
      column: source.column,
      ...encode(counters, (row) => slotOf(source, row)),
    })),
  );
  const { discontinuity } = plan;
  return {
    ageMs: nowMs - at.localMs,
    upTicks: at.upTicks,
    boots: at.boots,
    keys,
    columns,
    discontinuity: discontinuity && encode(counters, (row) => discontinuity[row]!),
  };
}

/** Throws when `table` is not what `exportCounters` returns. */
export function importCounters(table: TableCounters, nowMs: number): CounterState {
  const { keys, discontinuity } = table;
  const rows = keys.length;
  const all = [...table.columns, ...(discontinuity === undefined ? [] : [discontinuity])];
  const words = new Uint32Array(2 * rows * all.length);
  const status = new Uint8Array(rows * all.length);
  for (const [place, values] of all.entries()) decode(values, rows, { words, status }, place * rows);
  const at: DeviceTime = {
    localMs: nowMs - table.ageMs,
    upTicks: table.upTicks,
    boots: table.boots,
    isInherited: true,
  };
  const columns = table.columns.map(({ field, column }, place) => ({
    head: { field },
    isCounter: true,
    sources: [{ column, firstSlot: place * rows, slots: undefined }],
  }));
  const first = table.columns.length * rows;
  const places = discontinuity && Int32Array.from(keys, (_, row) => first + row);
  return { plan: { columns, discontinuity: places }, keys, words, status, at };
}

function encode({ keys, words, status }: CounterState, slotAt: (row: number) => number): EncodedValues {
  const tags = Buffer.alloc(keys.length);
  const values = Buffer.alloc(8 * keys.length);
  for (let row = 0; row < keys.length; row++) {
    const slot = slotAt(row);
    if (slot < 0) continue;
    tags[row] = status[slot]!;
    values.writeUInt32LE(words[2 * slot]!, 8 * row);
    values.writeUInt32LE(words[2 * slot + 1]!, 8 * row + 4);
  }
  return { status: tags.toString('base64'), words: values.toString('base64') };
}

function decode(
  encoded: EncodedValues,
  rows: number,
  { words, status }: Pick<CounterState, 'words' | 'status'>,
  firstSlot: number,
): void {
  const tags = Buffer.from(encoded.status, 'base64');
  const values = Buffer.from(encoded.words, 'base64');
  if (tags.length !== rows || values.length !== 8 * rows) throw new Error('counters of another length');
  status.set(tags, firstSlot);
  for (let word = 0; word < 2 * rows; word++) words[2 * firstSlot + word] = values.readUInt32LE(4 * word);
}

import type { Batch, Column, DeviceRef } from '../../src/index.ts';
import type { EventRow, EventValue } from './event-records.ts';

/** What the batches of one event have in common. */
export interface EventHead {
  readonly device: DeviceRef;
  readonly generation: number;
  /** Counts events; with the time it makes keys that no other event has. */
  readonly sequence: number;
  readonly timeMs: number;
}

/** A batch of one record: a column for each value that any row has, under `event.`. */
export function createEventBatch(
  record: string,
  rows: readonly EventRow[],
  { device, generation, sequence, timeMs }: EventHead,
): Batch {
  const labels = listKeys(rows.map((row) => row.labels ?? {}));
  const fields = listKeys(rows.map((row) => row.values));
  return {
    device,
    tags: {},
    record: `waywiser::${record}`,
    plan: 'waywiser::events',
    generation,
    sequence,
    slotMs: timeMs,
    timeMs,
    rows: {
      count: rows.length,
      keys: rows.map((_, row) => (rows.length === 1 ? `${sequence}` : `${sequence}.${row + 1}`)),
      labels: Object.fromEntries(
        labels.map((name) => [`event.${name}`, rows.map((row) => row.labels?.[name])]),
      ),
    },
    columns: fields.map((name) =>
      createColumn(
        `event.${name}`,
        rows.map((row) => row.values[name]),
      ),
    ),
  };
}

function listKeys(parts: readonly object[]): string[] {
  return [...new Set(parts.flatMap(Object.keys))];
}

/** An event has the same values in each of its rows, so the first one tells the kind. */
function createColumn(field: string, values: readonly (EventValue | undefined)[]): Column {
  switch (typeof values[0]) {
    case 'number':
      return { field, kind: 'number', metric: 'gauge', values: Float64Array.from(values, Number) };
    case 'boolean':
      return { field, kind: 'boolean', values: Uint8Array.from(values, Number) };
    default:
      return {
        field,
        kind: 'text',
        values: values.map((value) => (value === undefined ? value : String(value))),
      };
  }
}

import type { Batch, Column, DeviceRef } from '../../src/index.ts';
import type { EventRow, EventValue } from './event-records.ts';

/** The fields that all batches of an event have in common. */
export interface EventHead {
  readonly device: DeviceRef;
  readonly generation: number;
  /** Counts events. Together with the time it makes unique keys. */
  readonly sequence: number;
  readonly timeMs: number;
}

/** Makes a batch of one record, with a column `event.…` for each value that a row has. */
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

/** All rows of an event have the same values, so the first row determines the kind. */
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

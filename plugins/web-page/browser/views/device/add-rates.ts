import type { HistoryAnswer } from '../../../../../src/client/index.ts';
import type { RecordTable } from './device-rows.ts';

/** The table with the latest rates that the history has of its rows. */
export function addRates(table: RecordTable, { series }: HistoryAnswer): RecordTable {
  const latest = new Map<string, Record<string, number>>();
  for (const { row, field, values } of series) {
    const value = values.findLast((each) => each !== null);
    if (value === undefined || value === null) continue;
    const rates = latest.get(row) ?? {};
    rates[field] = value;
    latest.set(row, rates);
  }
  return {
    ...table,
    rows: table.rows.map((row) => ({ ...row, values: { ...row.values, ...latest.get(row.key) } })),
  };
}

import { type Batch, valueAt } from '../../../../src/index.ts';
import { commentOf, type FieldColumn } from '../tables/field-column.ts';
import { fixedColumns } from '../tables/fixed-columns.ts';
import { cleanText } from './clean-text.ts';

/** A value as a parameter: text, for PostgreSQL to read by the column's type. */
type Cell = string | null;

/** Rows of one table, by column: what an INSERT takes with one parameter a column. */
export interface TableRows {
  readonly count: number;
  readonly fixed: Readonly<Record<keyof typeof fixedColumns, readonly Cell[]>>;
  readonly fields: readonly { readonly column: FieldColumn; readonly cells: readonly Cell[] }[];
}

/** Puts batches of one record together. What a batch has not is null in its rows. */
export function collectRows(batches: readonly Batch[]): TableRows {
  const count = batches.reduce((sum, { rows }) => sum + rows.count, 0);
  const fixed = createFixed();
  const fields = new Map<string, { readonly column: FieldColumn; readonly cells: Cell[] }>();
  const cellsOf = (column: FieldColumn): Cell[] => {
    const key = commentOf(column);
    let field = fields.get(key);
    if (field === undefined) {
      field = { column, cells: new Array<Cell>(count).fill(null) };
      fields.set(key, field);
    }
    return field.cells;
  };
  let offset = 0;
  for (const batch of batches) {
    pushFixed(fixed, batch);
    for (const [field, values] of Object.entries(batch.rows.labels)) {
      const cells = cellsOf({ kind: 'label', field });
      for (const [row, value] of values.entries())
        if (value !== undefined) cells[offset + row] = cleanText(value);
    }
    for (const column of batch.columns) {
      const cells = cellsOf({ kind: column.kind, field: column.field });
      for (let row = 0; row < batch.rows.count; row++) {
        const value = valueAt(column, row);
        if (typeof value === 'object') cells[offset + row] = JSON.stringify(value.map(cleanText));
        else if (value !== undefined) cells[offset + row] = cleanText(String(value));
      }
    }
    offset += batch.rows.count;
  }
  return { count, fixed, fields: [...fields.values()] };
}

type FixedCells = { [Name in keyof typeof fixedColumns]: Cell[] };

function createFixed(): FixedCells {
  return Object.fromEntries(Object.keys(fixedColumns).map((name) => [name, []])) as unknown as FixedCells;
}

function pushFixed(fixed: FixedCells, batch: Batch): void {
  const { device, tags, plan, sequence, generation, slotMs, timeMs, rows } = batch;
  const cleanTags = Object.entries(tags).map(([name, value]) => [cleanText(name), cleanText(value)]);
  const same = {
    slot: new Date(slotMs).toISOString(),
    time: new Date(timeMs).toISOString(),
    device: cleanText(device.name),
    ip: cleanText(device.ip),
    port: String(device.port),
    plan: cleanText(plan),
    sequence: String(sequence),
    generation: String(generation),
    tags: JSON.stringify(Object.fromEntries(cleanTags)),
  };
  for (let row = 0; row < rows.count; row++) {
    for (const [name, cell] of Object.entries(same)) fixed[name as keyof typeof same].push(cell);
    fixed.instance.push(cleanText(rows.keys[row] ?? ''));
  }
}

import type { Batch, Column } from '../../../../src/index.ts';
import { cleanText } from '../tables/clean-text.ts';
import { columnTypes, commentOf, type FieldColumn } from '../tables/field-column.ts';
import type { fixedColumns } from '../tables/fixed-columns.ts';
import { ArrayParameter } from './array-parameter.ts';

/** Rows of one table, by column, for an INSERT with one parameter per column. */
export interface TableRows {
  readonly fixed: Readonly<Record<keyof typeof fixedColumns, ArrayParameter>>;
  readonly fields: readonly { readonly column: FieldColumn; readonly cells: ArrayParameter }[];
}

/** Only tables of notifications, and of polls that one caused, have it. */
const trapColumn: FieldColumn = { kind: 'label', field: 'trap_id' };

/** Collects the rows of batches of one record. Columns that a batch lacks are null in its rows. */
export function collectRows(batches: readonly Batch[]): TableRows {
  const fixed = createFixed();
  const fields = new Map<string, { readonly column: FieldColumn; readonly cells: ArrayParameter }>();
  let count = 0;
  /** Undefined if these rows have the column already: a field is one column. */
  const findCells = (column: FieldColumn): ArrayParameter | undefined => {
    const key = commentOf(column);
    let field = fields.get(key);
    if (field === undefined) {
      field = { column, cells: new ArrayParameter(columnTypes[column.kind]) };
      fields.set(key, field);
    }
    field.cells.fillTo(count);
    return field.cells.count === count ? field.cells : undefined;
  };
  for (const batch of batches) {
    addFixed(fixed, batch);
    if (batch.trapId !== undefined)
      findCells(trapColumn)?.repeat(Buffer.from(cleanText(batch.trapId)), batch.rows.count);
    for (const [field, values] of Object.entries(batch.rows.labels)) {
      const cells = findCells({ kind: 'label', field });
      if (cells !== undefined) addColumn(cells, { kind: 'text', field, values }, batch.rows.count);
    }
    for (const column of batch.columns) {
      const cells = findCells({ kind: column.kind, field: column.field });
      if (cells !== undefined) addColumn(cells, column, batch.rows.count);
    }
    count += batch.rows.count;
  }
  for (const { cells } of fields.values()) cells.fillTo(count);
  return { fixed, fields: [...fields.values()] };
}

function addColumn(cells: ArrayParameter, column: Column, count: number): void {
  const { gaps } = column;
  for (let row = 0; row < count; row++) {
    if (gaps !== undefined && gaps[row] !== 0) cells.addNull();
    else addValue(cells, column, row);
  }
}

function addValue(cells: ArrayParameter, column: Column, row: number): void {
  if (column.kind === 'number') cells.addFloat(column.values[row]!);
  else if (column.kind === 'boolean') cells.addBoolean(column.values[row] === 1);
  else if (column.kind === 'counter') {
    cells.addCounter(column.words[2 * row]!, column.words[2 * row + 1]!);
  } else {
    const value = column.values[row];
    if (value === undefined) cells.addNull();
    else if (typeof value === 'string') cells.addText(cleanText(value));
    else cells.addJson(JSON.stringify(value.map(cleanText)));
  }
}

function createFixed(): TableRows['fixed'] {
  return {
    slot: new ArrayParameter('timestamptz'),
    time: new ArrayParameter('timestamptz'),
    device: new ArrayParameter('text'),
    ip: new ArrayParameter('text'),
    port: new ArrayParameter('integer'),
    plan: new ArrayParameter('text'),
    instance: new ArrayParameter('text'),
    sequence: new ArrayParameter('bigint'),
    generation: new ArrayParameter('bigint'),
    tags: new ArrayParameter('jsonb'),
  };
}

function addFixed(fixed: TableRows['fixed'], batch: Batch): void {
  const { device, tags, plan, sequence, generation, slotMs, timeMs, rows } = batch;
  const cleanTags = Object.entries(tags).map(([name, value]) => [cleanText(name), cleanText(value)]);
  const same = {
    slot: timeElement(slotMs),
    time: timeElement(timeMs),
    device: Buffer.from(cleanText(device.name)),
    ip: Buffer.from(cleanText(device.ip)),
    port: integerElement(device.port, 4),
    plan: Buffer.from(cleanText(plan)),
    sequence: integerElement(sequence, 8),
    generation: integerElement(generation, 8),
    tags: Buffer.from(`\x01${JSON.stringify(Object.fromEntries(cleanTags))}`),
  };
  for (const [name, element] of Object.entries(same)) {
    fixed[name as keyof typeof same].repeat(element, rows.count);
  }
  for (let row = 0; row < rows.count; row++) fixed.instance.addText(cleanText(rows.keys[row] ?? ''));
}

/** PostgreSQL counts microseconds from this date. */
const epochMs = Date.UTC(2000, 0, 1);

function timeElement(timeMs: number): Buffer {
  return integerElement((Math.round(timeMs) - epochMs) * 1_000, 8);
}

function integerElement(value: number, octets: 4 | 8): Buffer {
  const element = Buffer.alloc(8);
  element.writeBigInt64BE(BigInt(value));
  return element.subarray(8 - octets);
}

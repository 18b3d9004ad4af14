import { stripVTControlCharacters } from 'node:util';
import colours from 'picocolors';
import { type Batch, type Column, gapAt, valueAt } from '../../index.ts';
import { plainText, shorten } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';

const maxCellCharacters = 40;
/** The unit of counts, as UCUM writes it: nothing to read. */
const dimensionless = '1';
/** Between two columns of a table. */
const gutter = 2;

/** A record as people read it: a list where it is one row, else a table, cut into parts where it is wider than `width`. */
export function formatRecord(batch: Batch, width: number): string {
  const { count } = batch.rows;
  const fields = listFields(batch);
  const time = new Date(batch.timeMs).toLocaleTimeString('en-GB');
  const head = `${colours.bold(batch.record)}  ${colours.dim(`${count} row${count === 1 ? '' : 's'}, ${time}`)}`;
  if (count === 1) {
    const rows = fields.map(({ field, unit, cells }) => [field, cells[0]!, colours.dim(unit)]);
    return `${head}\n${formatTable(['field', 'value', 'unit'], rows)}`;
  }
  const keys = { field: 'row', unit: '', cells: batch.rows.keys.map(toCell) };
  return [head, ...cutToWidth(keys, fields, width).map((part) => formatPart(part, count))].join('\n');
}

interface ShownField {
  readonly field: string;
  readonly unit: string;
  /** One a row. */
  readonly cells: readonly string[];
}

function listFields({ rows, columns }: Batch): ShownField[] {
  const labels = Object.entries(rows.labels).map(([field, values]) => ({
    field,
    unit: '',
    cells: values.map((value) => colours.cyan(toCell(value ?? ''))),
  }));
  const values = columns
    .filter((column) => !isOnlyUnseeded(column, rows.count))
    .map((column) => ({
      field: column.field,
      unit: column.unit === undefined || column.unit === dimensionless ? '' : column.unit,
      cells: Array.from({ length: rows.count }, (_, row) => showCell(column, row)),
    }));
  return [...labels, ...values];
}

/** Rates want two polls. */
function isOnlyUnseeded(column: Column, rows: number): boolean {
  for (let row = 0; row < rows; row++) if (gapAt(column, row) !== 'unseeded') return false;
  return rows > 0;
}

function showCell(column: Column, row: number): string {
  const value = valueAt(column, row);
  if (value === undefined) return colours.yellow(`(${gapAt(column, row)})`);
  return toCell(Array.isArray(value) ? value.join(',') : String(value));
}

function toCell(text: string): string {
  return shorten(plainText(text), maxCellCharacters);
}

/** Parts that fit; each begins with the keys. */
function cutToWidth(keys: ShownField, fields: readonly ShownField[], width: number): ShownField[][] {
  const parts: ShownField[][] = [];
  let part: ShownField[] = [];
  let used = 0;
  for (const field of fields) {
    const wanted = gutter + widthOf(field);
    if (part.length === 0 || used + wanted > width) {
      part = [keys];
      used = widthOf(keys);
      parts.push(part);
    }
    part.push(field);
    used += wanted;
  }
  return parts.length === 0 ? [[keys]] : parts;
}

function formatPart(part: readonly ShownField[], rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => part.map(({ cells }) => cells[row]!));
  return formatTable(part.map(titleOf), lines);
}

function titleOf({ field, unit }: ShownField): string {
  return unit === '' ? field : `${field} ${unit}`;
}

function widthOf(field: ShownField): number {
  const cells = field.cells.map((cell) => stripVTControlCharacters(cell).length);
  return cells.reduce((widest, length) => Math.max(widest, length), titleOf(field).length);
}

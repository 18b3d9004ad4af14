import { stripVTControlCharacters } from 'node:util';
import colours from 'picocolors';
import type { AnswerBody } from '../../client/index.ts';
import { counted, plainText, shorten } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';

const maxCellCharacters = 40;
/** UCUM's unit of a plain number, which is not shown. */
const dimensionless = '1';
/** Spaces between two columns of a table. */
const gutter = 2;

/** A record as the API shows it, with all its rows. */
export type ShownRecord = AnswerBody<'getRecords'>['records'][number];

/** A list where the record has one row, otherwise a table. A table wider than `width` is cut into parts. */
export function formatRecord({ record, at, fields, rows }: ShownRecord, width: number): string {
  const columns = [...listLabels(rows), ...listValues(fields, rows)];
  const time = new Date(at).toLocaleTimeString('en-GB');
  const head = `${colours.bold(record)}  ${colours.dim(`${counted(rows.length, 'row')}, ${time}`)}`;
  if (rows.length === 1) {
    const lines = columns.map(({ field, unit, cells }) => [
      field,
      cells[0]!,
      unit === '' ? '' : colours.dim(unit),
    ]);
    return `${head}\n${formatTable(['field', 'value', 'unit'], lines, width)}`;
  }
  const keys = { field: 'row', unit: '', cells: rows.map(({ key }) => toCell(key)) };
  return [head, ...cutToWidth(keys, columns, width).map((part) => formatPart(part, rows.length))].join('\n');
}

type Rows = ShownRecord['rows'];

interface ShownField {
  readonly field: string;
  readonly unit: string;
  /** One per row. */
  readonly cells: readonly string[];
}

function listLabels(rows: Rows): ShownField[] {
  const fields = new Set(rows.flatMap(({ labels }) => Object.keys(labels)));
  return [...fields].map((field) => ({
    field,
    unit: '',
    cells: rows.map(({ labels }) => colours.cyan(toCell(labels[field] ?? ''))),
  }));
}

function listValues(fields: ShownRecord['fields'], rows: Rows): ShownField[] {
  return fields
    .filter(({ field }) => !isUnseeded(field, rows))
    .map(({ field, unit = dimensionless }) => ({
      field,
      unit: unit === dimensionless ? '' : unit,
      cells: rows.map(({ values, gaps }) => formatCell(values[field], gaps[field])),
    }));
}

/** A rate has no value before the second poll. */
function isUnseeded(field: string, rows: Rows): boolean {
  return rows.length > 0 && rows.every(({ gaps }) => gaps[field] === 'unseeded');
}

function formatCell(value: Rows[number]['values'][string] | undefined, gap: string | undefined): string {
  if (value === undefined) return colours.yellow(`(${gap})`);
  return toCell(Array.isArray(value) ? value.join(',') : String(value));
}

function toCell(text: string): string {
  return shorten(plainText(text), maxCellCharacters);
}

/** Parts that fit into the width; each begins with the keys of the rows. */
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

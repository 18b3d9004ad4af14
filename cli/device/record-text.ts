import { stripVTControlCharacters } from 'node:util';
import type { AnswerBody } from '../../src/client/index.ts';
import { colours } from '../terminal/colours.ts';
import { counted, plainText, shorten } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';

const maxCellCharacters = 40;
/** UCUM's unit of a plain number, which is not shown. */
const dimensionless = '1';
/** Spaces between two columns of a table. */
const gutter = 2;

/** A record as the API shows it, with all its rows. */
export type ShownRecord = AnswerBody<'getRecords'>['records'][number];

export interface Layout {
  /** Of the terminal; a pipe has no limit, and its cells are not shortened. */
  readonly width: number;
  /** All columns, in parts where they do not fit. */
  readonly all?: boolean;
  /** Only these, in this order. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * A list where the record has one row, otherwise a table with as many columns as fit, the important ones first. Empty when
 * the record has none of the columns that were asked for.
 */
export function formatRecord({ record, at, fields, rows }: ShownRecord, layout: Layout): string {
  const { width, all = false, columns: wanted } = layout;
  const longest = width === Number.POSITIVE_INFINITY ? width : maxCellCharacters;
  const found = [...listLabels(rows, longest), ...listValues(fields, rows, longest)];
  const columns = wanted?.flatMap((name) => found.filter(({ field }) => field === name)) ?? found;
  if (wanted !== undefined && columns.length === 0) return '';
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
  const keys = { field: 'row', unit: '', cells: rows.map(({ key }) => toCell(key, longest)) };
  const inOrder = all || wanted !== undefined ? columns : columns.toSorted((a, b) => a.rank - b.rank);
  const parts = cutToWidth(keys, inOrder, width);
  const shown = all || wanted !== undefined ? parts : parts.slice(0, 1);
  const tables = shown.map((part) => formatPart(part, rows.length));
  const leftOut = columns.length - shown.reduce((count, part) => count + part.length - 1, 0);
  const rest = `${counted(leftOut, 'column')} left out: --all shows all, --columns NAME,NAME some.`;
  return [head, ...tables, ...(leftOut === 0 ? [] : [colours.dim(rest)])].join('\n');
}

type Rows = ShownRecord['rows'];

interface ShownField {
  readonly field: string;
  readonly unit: string;
  /** One per row. */
  readonly cells: readonly string[];
}

interface ShownColumn extends ShownField {
  /** Lower is more important: labels, then states, then numbers, then what is 0 or missing in every row. */
  readonly rank: number;
}

function listLabels(rows: Rows, longest: number): ShownColumn[] {
  const fields = new Set(rows.flatMap(({ labels }) => Object.keys(labels)));
  return [...fields].map((field) => ({
    field,
    unit: '',
    cells: rows.map(({ labels }) => colours.cyan(toCell(labels[field] ?? '', longest))),
    rank: 0,
  }));
}

function listValues(fields: ShownRecord['fields'], rows: Rows, longest: number): ShownColumn[] {
  return fields
    .filter(({ field }) => !isUnseeded(field, rows))
    .map(({ field, unit = dimensionless }) => ({
      field,
      unit: unit === dimensionless ? '' : unit,
      cells: rows.map(({ values, gaps }) => formatCell(values[field], gaps[field], longest)),
      rank: rankOf(rows.map(({ values }) => values[field])),
    }));
}

function rankOf(values: readonly (Rows[number]['values'][string] | undefined)[]): number {
  if (values.some((value) => typeof value === 'string' && !/^-?\d+$/.test(value))) return 1;
  return values.some((value) => value !== undefined && String(value) !== '0') ? 2 : 3;
}

/** A rate has no value before the second poll. */
function isUnseeded(field: string, rows: Rows): boolean {
  return rows.length > 0 && rows.every(({ gaps }) => gaps[field] === 'unseeded');
}

function formatCell(
  value: Rows[number]['values'][string] | undefined,
  gap: string | undefined,
  longest: number,
): string {
  if (value === undefined) return colours.yellow(`(${gap})`);
  return toCell(Array.isArray(value) ? value.join(',') : String(value), longest);
}

function toCell(text: string, longest: number): string {
  return shorten(plainText(text), longest);
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

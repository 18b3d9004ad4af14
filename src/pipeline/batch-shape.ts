import type { Batch, Column, Rows } from '../model/batch.ts';
import { batchLimits } from '../model/batch-form/batch-fault.ts';

/** A batch that no output could write. The message says what is wrong with it. */
export class ShapeFault extends Error {}

/**
 * Checks that every part of a batch exists, has its type and has one entry per row. It looks at columns, never at single values, so that
 * every batch can be checked. Throws a ShapeFault, or what a getter of the batch throws.
 */
export function checkShape(value: unknown): Batch {
  if (isPromise(value)) throw new ShapeFault('it is a promise, and batches are passed on synchronously');
  const batch = value as Batch;
  if (!isObject(batch)) throw new ShapeFault(`it is ${batch === null ? 'null' : typeof batch}`);
  checkHead(batch);
  const { rows, columns } = batch;
  checkRows(rows);
  if (!Array.isArray(columns)) throw new ShapeFault('columns is not a list');
  if (rows.count * columns.length > batchLimits.cells) throw new ShapeFault('it has too many values');
  for (const column of columns) checkColumn(column, rows.count);
  return batch;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof (value as { readonly then?: unknown }).then === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The largest time that a Date can hold. */
const maxTimeMs = 8.64e15;

function checkHead({
  device,
  tags,
  record,
  plan,
  generation,
  sequence,
  slotMs,
  timeMs,
  intervalMs,
  startedMs,
  shard,
  epoch,
}: Batch): void {
  if (!isObject(device)) throw new ShapeFault('device is missing');
  demand(
    typeof device.name === 'string' && typeof device.ip === 'string',
    'the name or ip of device',
    'text',
  );
  demand(Number.isInteger(device.port), 'the port of device', 'a whole number');
  demand(isObject(tags) && !Array.isArray(tags), 'tags', 'a map');
  demand(typeof record === 'string', 'record', 'text');
  demand(typeof plan === 'string', 'plan', 'text');
  demand(Number.isSafeInteger(generation), 'generation', 'a whole number');
  demand(Number.isSafeInteger(sequence), 'sequence', 'a whole number');
  demand(isTime(slotMs), 'slotMs', 'a time in milliseconds');
  demand(isTime(timeMs), 'timeMs', 'a time in milliseconds');
  demand(intervalMs === undefined || isTime(intervalMs), 'intervalMs', 'a time in milliseconds');
  demand(startedMs === undefined || isTime(startedMs), 'startedMs', 'a time in milliseconds');
  demand(shard === undefined || Number.isSafeInteger(shard), 'shard', 'a whole number');
  demand(epoch === undefined || Number.isSafeInteger(epoch), 'epoch', 'a whole number');
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maxTimeMs;
}

function demand(isRight: boolean, part: string, expected: string): void {
  if (!isRight) throw new ShapeFault(`${part} is not ${expected}`);
}

function checkRows(rows: Rows): void {
  if (!isObject(rows)) throw new ShapeFault('rows is missing');
  const { count, keys, labels } = rows;
  if (!Number.isInteger(count) || count < 0) throw new ShapeFault('rows.count is not a whole number');
  if (count > batchLimits.rows) throw new ShapeFault(`rows.count is ${count}, more than ${batchLimits.rows}`);
  checkLength('rows.keys', Array.isArray(keys) ? keys : undefined, count);
  if (!isObject(labels)) throw new ShapeFault('rows.labels is missing');
  for (const field in labels) {
    const label = labels[field];
    if (Array.isArray(label) && label.length === count) continue;
    checkLength(`the label "${field.slice(0, 60)}"`, Array.isArray(label) ? label : undefined, count);
  }
}

function checkLength(part: string, list: { readonly length: number } | undefined, wanted: number): void {
  if (list === undefined) throw new ShapeFault(`${part} has the wrong type`);
  if (list.length !== wanted) throw new ShapeFault(`${part} has ${list.length} entries instead of ${wanted}`);
}

function checkColumn(column: Column, count: number): void {
  if (!isObject(column)) throw new ShapeFault('a column is missing');
  const { field, metric, unit, gaps } = column;
  if (typeof field !== 'string') throw new ShapeFault('a column has no field');
  const isKnown = metric === undefined || metric === 'counter' || metric === 'gauge';
  if (!isKnown || (unit !== undefined && typeof unit !== 'string')) {
    throw new ShapeFault(`the metric or unit of ${nameOf(column)} is unknown`);
  }
  if (gaps !== undefined && !(gaps instanceof Uint8Array && gaps.length === count)) {
    throw new ShapeFault(`the gaps of ${nameOf(column)} are not ${count} bytes`);
  }
  const values = findValues(column);
  const wanted = column.kind === 'counter' ? 2 * count : count;
  if (values === undefined || values.length !== wanted) checkLength(nameOf(column), values, wanted);
}

/** The values of a column if they have the type of its kind. */
function findValues(column: Column): { readonly length: number } | undefined {
  switch (column.kind) {
    case 'number':
      return column.values instanceof Float64Array ? column.values : undefined;
    case 'counter':
      return column.words instanceof Uint32Array ? column.words : undefined;
    case 'boolean':
      return column.values instanceof Uint8Array ? column.values : undefined;
    case 'text':
    case 'list':
      return Array.isArray(column.values) ? column.values : undefined;
    default:
      return undefined;
  }
}

function nameOf({ field }: Column): string {
  return `the column "${field.slice(0, 60)}"`;
}

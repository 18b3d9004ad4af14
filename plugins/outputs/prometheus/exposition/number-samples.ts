import type { Column, CounterColumn } from '../../../../src/index.ts';
import type { TextBuffer } from '../../../../src/output-kit/index.ts';
import { maxNumberBytes, writeCounter, writeFloat } from '../../../../src/output-kit/internal.ts';
import { valueOnPath } from '../latest/counter-paths.ts';
import type { RowLabels } from '../latest/row-labels.ts';

/** What all samples of a column have in common. */
export interface NumberSamples {
  readonly column: Column;
  /** For a counter that is served as it is between two polls: where each row started, and how far it is. */
  readonly path: { readonly starts: Float64Array; readonly progress: number } | undefined;
  readonly labels: RowLabels;
  /** Written before the labels. */
  readonly name: Uint8Array;
  /** Written after the value: a time or nothing, and the end of the line. */
  readonly end: Uint8Array;
  /** The line after each sample with the start time of its counter. */
  readonly created: { readonly name: Uint8Array; readonly end: Uint8Array } | undefined;
}

/**
 * Writes a sample for each row with a value, from `row` on, until the chunk is full or none is left. Returns the next row. This is nearly
 * the whole cost of an exposition.
 */
export function writeNumberSamples(samples: NumberSamples, row: number, out: TextBuffer): number {
  const { column, path, labels, name, end, created } = samples;
  const { texts } = labels;
  let next = row;
  for (; next < texts.length && !out.isFull; next++) {
    const text = texts[next]!;
    out.reserve(name.length + text.length + maxNumberBytes + end.length);
    const { bytes } = out;
    const labelsAt = copyShort(name, bytes, out.length);
    bytes.set(text, labelsAt);
    const at = labelsAt + text.length;
    const valueEnd =
      path === undefined ? writeNumber(bytes, at, column, next) : writeOnPath(bytes, at, column, path, next);
    if (valueEnd === at) continue;
    out.length = copyShort(end, bytes, valueEnd);
    if (created === undefined) continue;
    out.copy(created.name);
    out.copy(text);
    out.copy(created.end);
  }
  return next;
}

/** For so few octets a loop is faster than a call into the runtime. */
function copyShort(source: Uint8Array, target: Uint8Array, at: number): number {
  const { length } = source;
  for (let i = 0; i < length; i++) target[at + i] = source[i]!;
  return at + length;
}

/** Writes a counter as it is between two polls. A row that was polled only once has no such value yet. */
function writeOnPath(
  bytes: Buffer,
  at: number,
  column: Column,
  { starts, progress }: NonNullable<NumberSamples['path']>,
  row: number,
): number {
  const start = starts[row]!;
  if (Number.isNaN(start) || (column.gaps !== undefined && column.gaps[row] !== 0)) return at;
  if (progress === 1) return writeNumber(bytes, at, column, row);
  if (column.kind === 'number')
    return writeFloat(bytes, at, valueOnPath(start, column.values[row]!, progress));
  const { words } = column as CounterColumn;
  const end = words[2 * row + 1]! * 0x1_0000_0000 + words[2 * row]!;
  return writeFloat(bytes, at, valueOnPath(start, end, progress));
}

/**
 * Writes the number of `row` at `at` and returns where it ends, which is `at` for no number. The buffer must have room. A counter has all
 * its digits, even if the reader rounds them.
 */
function writeNumber(bytes: Buffer, at: number, column: Column, row: number): number {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return at;
  switch (column.kind) {
    case 'number': {
      const value = column.values[row]!;
      if (Math.abs(value) !== Number.POSITIVE_INFINITY) return writeFloat(bytes, at, value);
      return at + bytes.write(value > 0 ? '+Inf' : '-Inf', at);
    }
    case 'counter':
      return writeCounter(bytes, at, column.words[2 * row]!, column.words[2 * row + 1]!);
    case 'boolean':
      bytes[at] = column.values[row] === 1 ? digitZero + 1 : digitZero;
      return at + 1;
    default:
      return at;
  }
}

const digitZero = 0x30;

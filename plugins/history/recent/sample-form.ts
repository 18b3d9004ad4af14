import { ByteReader } from '../../../src/model/index.ts';
import { findFrameHead, frameBytes, isIntact } from '../../../src/storage/index.ts';
import type { ColumnValues, Shape } from '../chunk/block.ts';
import { readColumn } from '../chunk/column-form.ts';

/** Where a poll of a block is in the file. */
export interface Sample {
  readonly shape: Shape;
  readonly timeMs: number;
  readonly at: number;
  readonly bytes: number;
}

/** A poll with its numbers. Columns that were not asked for are undefined. */
export interface SampleValues {
  readonly shape: Shape;
  readonly timeMs: number;
  readonly startedMs: number;
  readonly columns: readonly (ColumnValues | undefined)[];
}

/** Reads columns of a framed record; with `rows`, ascending, only these. Undefined when the record is damaged. */
export function unpackSample(
  { shape }: Sample,
  framed: Buffer,
  marker: number,
  wanted: readonly number[],
  rows?: readonly number[],
): SampleValues | undefined {
  const head = findFrameHead(framed, 0, marker);
  const record = framed.subarray(frameBytes);
  if (head === undefined || !isIntact(record, head)) return undefined;
  const from = new ByteReader(record);
  from.byte();
  from.varint();
  const startedMs = from.varint();
  const ends: number[] = [];
  let end = 0;
  for (let i = 0; i < shape.columns.length; i++) {
    end += from.varint();
    ends.push(end);
  }
  const start = record.length - from.remaining;
  const columns: (ColumnValues | undefined)[] = [];
  for (const index of wanted) {
    const packed = record.subarray(start + (ends[index - 1] ?? 0), start + ends[index]!);
    columns[index] = pickRows(readColumn(new ByteReader(packed), 1, shape.keys.length, 1), rows);
  }
  return { shape, timeMs: head.timeMs, startedMs, columns };
}

function pickRows(column: ColumnValues, rows: readonly number[] | undefined): ColumnValues {
  if (rows === undefined) return column;
  const { streams, gaps } = column;
  const pick = <List extends Float64Array | Uint8Array>(from: List, picked: List): List => {
    for (let i = 0; i < rows.length; i++) picked[i] = from[rows[i]!]!;
    return picked;
  };
  return {
    streams: streams.map((values) => pick(values, new Float64Array(rows.length))),
    gaps: gaps && pick(gaps, new Uint8Array(rows.length)),
  };
}

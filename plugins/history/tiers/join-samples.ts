import { type BlockHead, type ColumnValues, noRow } from '../chunk/block.ts';
import type { SampleValues } from '../recent/sample-form.ts';
import { joinShapes } from './join-shapes.ts';

export interface FilledBlock {
  readonly head: BlockHead;
  readonly columns: readonly ColumnValues[];
}

/** Joins polls of one record and plan, in the order of their times, to one block as polled. */
export function joinSamples(samples: readonly SampleValues[]): FilledBlock {
  const { shape, parts } = joinShapes(samples.map((sample) => sample.shape));
  const times = Float64Array.from(samples, ({ timeMs }) => timeMs);
  const started = Float64Array.from(samples, ({ startedMs }) => startedMs);
  const columns = shape.columns.map((_, column): ColumnValues => {
    const cells = shape.keys.length * times.length;
    const values = new Float64Array(cells);
    let gaps: Uint8Array | undefined;
    for (const [t, { columns: read }] of samples.entries()) {
      const { rows, columns: places } = parts[t]!;
      const from = read[places[column]!];
      if (rows === undefined && from !== undefined) {
        copyTime(from, values, t, times.length);
        if (from.gaps !== undefined) {
          gaps ??= new Uint8Array(cells);
          for (let row = 0; row < from.gaps.length; row++) gaps[row * times.length + t] = from.gaps[row]!;
        }
        continue;
      }
      gaps ??= new Uint8Array(cells);
      for (let row = 0; row < shape.keys.length; row++) gaps[row * times.length + t] = noRow;
      rows?.forEach((row, own) => {
        if (from === undefined) return;
        values[row * times.length + t] = from.streams[0]![own]!;
        gaps![row * times.length + t] = from.gaps?.[own] ?? 0;
      });
    }
    if (gaps !== undefined) repeatBefore(values, gaps, times.length);
    return { streams: [values], gaps };
  });
  return { head: { shape, times, started }, columns };
}

function copyTime({ streams }: ColumnValues, values: Float64Array, t: number, length: number): void {
  const from = streams[0]!;
  for (let row = 0, at = t; row < from.length; row++, at += length) values[at] = from[row]!;
}

/** A missing value repeats the one before it, which takes the least space. */
function repeatBefore(values: Float64Array, gaps: Uint8Array, length: number): void {
  for (let start = 0; start < values.length; start += length) {
    let before = 0;
    for (let at = start; at < start + length; at++) {
      if (gaps[at] === 0) before = values[at]!;
      else values[at] = before;
    }
  }
}

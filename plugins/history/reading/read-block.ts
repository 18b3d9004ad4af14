import type { SliceTurns } from '../../../src/timing/index.ts';
import { type ColumnValues, noRow, type Shape, stream } from '../chunk/block.ts';
import { markAt } from '../chunk/counter-rates.ts';
import type { Selection } from './selections.ts';
import type { SeriesBuilder } from './series-builder.ts';

/** The wanted rows and columns of a block. */
export interface ReadBlock {
  readonly shape: Shape;
  readonly times: ArrayLike<number>;
  readonly started: ArrayLike<number>;
  readonly selection: Selection;
  /** In the order of the selection; undefined for a damaged one. */
  readonly columns: readonly (ColumnValues | undefined)[];
  /** Changes when the counters of a row are reset. */
  readonly marks: ColumnValues | undefined;
  readonly spanMs: number;
  /** Later values come from another tier. */
  readonly untilMs: number;
}

/** Adding fewer values takes no longer than to look at the clock. */
const valuesAtOnce = 64;

/** Adds the values to their series, in turns with other work. */
export async function addBlock(block: ReadBlock, turns: SliceTurns): Promise<void> {
  const { shape, selection, columns, spanMs, times } = block;
  let added = 0;
  for (const [i, { head, isRate }] of selection.columns.entries()) {
    const column = columns[i];
    if (column === undefined) continue;
    for (const [place, row] of selection.rows.entries()) {
      if (added >= valuesAtOnce) {
        added = 0;
        const pause = turns.rest();
        if (pause !== undefined) await pause;
      }
      added += times.length;
      const series = selection.series[i]![place]!;
      series.describe(shape, row, head);
      series.spanMs = spanMs;
      addRow(block, column, { series, place, isRate });
    }
  }
}

function addRow(
  { times, started, marks, spanMs, untilMs }: ReadBlock,
  { streams, gaps }: ColumnValues,
  { series, place, isRate }: { readonly series: SeriesBuilder; place: number; isRate: boolean },
): void {
  for (let t = 0, at = place * times.length; t < times.length; t++, at++) {
    const timeMs = times[t]!;
    const gap = gaps?.[at] ?? 0;
    if (timeMs + spanMs > untilMs) continue;
    if (gap !== 0) {
      series.addGap(timeMs, gap);
      if (gap === noRow) series.last = undefined;
    } else if (spanMs > 0) addSpan(series, timeMs, streams, at);
    else {
      const [startedMs, value] = [started[t]!, streams[0]![at]!];
      if (isRate) series.addRate({ timeMs, startedMs, value, mark: markAt(marks, at) });
      else series.addValue({ timeMs, startedMs, value });
    }
  }
}

function addSpan(series: SeriesBuilder, timeMs: number, streams: readonly Float64Array[], at: number): void {
  const [count, minimum, mean, maximum] = [stream.count, stream.minimum, stream.mean, stream.maximum];
  series.add(
    timeMs,
    streams[count]![at]!,
    streams[minimum]![at]!,
    streams[mean]![at]!,
    streams[maximum]![at]!,
  );
}

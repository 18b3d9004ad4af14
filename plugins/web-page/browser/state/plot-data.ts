import type { HistoryAnswer, HistoryGap, HistorySeries } from '../../../../src/client/index.ts';

/** A line of a graph. `undefined`: nothing was due at that time, the line goes on. `null`: a value is missing, the line breaks. */
export interface PlotLine {
  readonly label: string;
  readonly values: (number | null | undefined)[];
  readonly gaps: readonly HistoryGap[];
}

export interface PlotData {
  /** Seconds since 1970, as uPlot takes them. */
  readonly times: number[];
  readonly lines: readonly PlotLine[];
}

/** Makes the lines of a graph from an answer of the history. `times` multiplies the values: octets to bits, or below the axis. */
export function makePlotData(
  answer: HistoryAnswer,
  lines: readonly {
    readonly label: string;
    readonly find: (series: HistorySeries) => boolean;
    readonly times?: number;
  }[],
): PlotData {
  return {
    times: answer.times.map((ms) => ms / 1000),
    lines: lines.flatMap(({ label, find, times = 1 }) => {
      const series = answer.series.find(find);
      return series === undefined
        ? []
        : [{ label, values: markGaps(answer.times, series, times), gaps: series.gaps }];
    }),
  };
}

/** A time without a value is a gap only where the history says so: other rows are polled at other times. */
function markGaps(
  times: readonly number[],
  { values, gaps }: HistorySeries,
  factor: number,
): (number | null | undefined)[] {
  let next = 0;
  return times.map((ms, i) => {
    const value = values[i];
    if (value !== null && value !== undefined) return value * factor;
    while (next < gaps.length && gaps[next]!.to < ms) next++;
    const gap = gaps[next];
    return gap !== undefined && gap.from <= ms ? null : undefined;
  });
}

/** Nothing is missing before the first value: the device or its row was not known yet. When it was down, that is known. */
export function withoutLead(series: HistorySeries, times: readonly number[]): HistorySeries {
  const first = times[series.values.findIndex((value) => value !== null)] ?? Number.POSITIVE_INFINITY;
  const gaps = series.gaps.filter(({ to, why }) => why !== 'unpolled' || to > first);
  return { ...series, gaps };
}

/** The last value of a line; undefined for a line without any. */
export function lastValue(line: PlotLine): number | undefined {
  return line.values.findLast((value): value is number => typeof value === 'number');
}

/** The value at a place of the graph, or the one before it while the line goes on. */
export function valueAt(line: PlotLine, index: number): number | null | undefined {
  for (let i = Math.min(index, line.values.length - 1); i >= 0; i--) {
    const value = line.values[i];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Why the value at a time is missing. */
export function gapAt(gaps: readonly HistoryGap[], ms: number): string | undefined {
  return gaps.find(({ from, to }) => from <= ms && ms <= to)?.why;
}

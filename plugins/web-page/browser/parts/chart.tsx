import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { gapAt, lastValue, type PlotData, valueAt } from '../state/plot-data.ts';
import { paints } from '../state/theme.ts';
import { type Limit, lineClass, makeChartOptions } from './chart-options.ts';
import { explainGap } from './gap-words.ts';
import { MadeUpNote } from './made-up-note.tsx';
import { Quiet } from './panel.tsx';
import { loadPlotLibrary, plotLibrary } from './plot-library.ts';
import { Num } from './texts.tsx';
import { formatClock, formatUtc } from './time-text.ts';

export interface ChartProps {
  readonly title: string;
  readonly unit?: string | undefined;
  readonly data: PlotData;
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** The time whose values nobody polled. */
  readonly madeUp?: { readonly from: number; readonly to: number } | undefined;
  readonly syncKey?: string;
  readonly limits?: readonly Limit[];
  readonly height?: number;
  readonly onZoom: (fromMs: number, toMs: number) => void;
  readonly onReset: () => void;
}

/** Units of levels whose zero means nothing special: the area below the line would say nothing. */
const levels = new Set(['°C', 'dBm', 'V', 'rpm', 'Hz']);

/** A graph with a legend that says the values under the cursor, or the latest ones. */
export function Chart({
  title,
  unit,
  data,
  range,
  madeUp,
  syncKey = 'page',
  limits = [],
  height = 170,
  onZoom,
  onReset,
}: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const cursor = useSignal<number | undefined>(undefined);
  const painted = paints.value;
  const Plot = plotLibrary.value;
  const shape = `${data.lines.map(({ label }) => label).join('\n')}|${unit}|${limits.map(({ value }) => value)}|${painted}`;
  const latest = useRef({ range, data, madeUp, onZoom, onReset });
  latest.current = { range, data, madeUp, onZoom, onReset };

  // Another shape is another graph; new values are set below.
  useEffect(() => {
    if (Plot === undefined) return void loadPlotLibrary();
    const element = box.current!;
    const look = {
      width: element.clientWidth || 400,
      height,
      unit,
      syncKey,
      limits,
      isFilled: data.lines.length <= 2 && !levels.has(unit ?? ''),
      get range() {
        return latest.current.range;
      },
      get lines() {
        return latest.current.data.lines;
      },
      get madeUp() {
        return latest.current.madeUp;
      },
      onCursor: (index: number | undefined) => {
        cursor.value = index;
      },
      onZoom: (fromMs: number, toMs: number) => latest.current.onZoom(fromMs, toMs),
      onReset: () => latest.current.onReset(),
    };
    const made = new Plot(makeChartOptions(look), alignedData(latest.current.data), element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth || 400, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [Plot, shape, height, syncKey]);

  useEffect(() => {
    plot.current?.setData(alignedData(data));
  }, [data]);

  const at = cursor.value;
  const atMs = at === undefined ? undefined : data.times[at];
  return (
    <figure class="chart">
      <figcaption>
        <span class="title">{title}</span>
        <span class="moment" title={atMs === undefined ? undefined : formatUtc(atMs * 1000)}>
          {atMs === undefined ? '' : formatClock(atMs * 1000, Date.now())}
        </span>
        {madeUp !== undefined && <MadeUpNote until={madeUp.to} />}
        {data.lines.length === 0 && <Quiet>No values in this time.</Quiet>}
        <Legend data={data} unit={unit} at={at} />
      </figcaption>
      <div class="plot" ref={box} />
    </figure>
  );
}

interface LegendProps extends Pick<ChartProps, 'data' | 'unit'> {
  /** The index of the time under the cursor. */
  readonly at: number | undefined;
}

function Legend({ data: { lines, times }, unit, at }: LegendProps) {
  const atMs = at === undefined ? undefined : times[at];
  return (
    <ul class="legend">
      {lines.map((line, i) => {
        const value = at === undefined ? lastValue(line) : valueAt(line, at);
        const gap = atMs === undefined ? line.gaps.at(-1)?.why : gapAt(line.gaps, atMs * 1000);
        return (
          <li key={line.label}>
            <span class={`swatch ${lineClass(i)}`} aria-hidden="true" />
            <bdi>{line.label}</bdi>{' '}
            {typeof value === 'number' ? (
              <Num value={value} unit={unit} />
            ) : (
              <span class="missing">{gap === undefined ? '–' : explainGap(gap)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function alignedData({ times, lines }: PlotData): uPlot.AlignedData {
  return [times, ...lines.map(({ values }) => values)] as uPlot.AlignedData;
}

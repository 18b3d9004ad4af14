import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { HistorySeries } from '../../../../src/client/index.ts';
import { graphRange, setGraphRange } from '../state/graph-range.ts';
import { type HistoryQuery, loadHistory, loadStates } from '../state/load-history.ts';
import { makePlotData } from '../state/plot-data.ts';
import { usePolled } from '../state/polled.ts';
import { boundsOf, formatRange } from '../state/time-range.ts';
import { Chart } from './chart.tsx';
import type { Limit } from './chart-options.ts';
import { Trouble } from './panel.tsx';
import { StateTimeline } from './state-timeline.tsx';

export interface GraphLine {
  readonly label: string;
  readonly find: (series: HistorySeries) => boolean;
  readonly times?: number;
}

export interface Graph extends HistoryQuery {
  readonly title: string;
  readonly unit?: string | undefined;
  readonly lines: readonly GraphLine[];
  readonly limits?: readonly Limit[];
  /** The values are states. */
  readonly isTimeline?: boolean;
}

const reloadMs = 10_000;

/** A graph of the history. It is loaded when it comes into view, and again while it shows the present. */
export function HistoryChart({ graph }: { readonly graph: Graph }) {
  const box = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} class={graph.isTimeline === true ? 'timeline-box' : 'chart-box'}>
      {isSeen && <LoadedChart graph={graph} />}
    </div>
  );
}

function LoadedChart({ graph }: { readonly graph: Graph }) {
  const range = graphRange.value;
  const key = JSON.stringify([graph.device, graph.record, graph.rows, graph.fields, formatRange(range)]);
  const loaded = usePolled(key, range.kind === 'recent' ? reloadMs : 0, async (signal) => {
    const bounds = boundsOf(range, Date.now());
    const load = graph.isTimeline === true ? loadStates : loadHistory;
    return { bounds, answer: await load(graph, bounds, signal) };
  });
  // The last graph stays until the one of another time has come.
  const shown = useRef(loaded.value);
  if (loaded.value !== undefined) shown.current = loaded.value;
  const current = shown.current;
  const data = useMemo(
    () => (current === undefined ? undefined : makePlotData(current.answer, graph.lines)),
    [current, graph.lines],
  );
  if (current === undefined || data === undefined) {
    return loaded.problem === undefined ? (
      <p class="quiet">Loading {graph.title} …</p>
    ) : (
      <Trouble problem={loaded.problem} />
    );
  }
  if (graph.isTimeline === true) {
    return <StateTimeline title={graph.title} answer={current.answer} range={current.bounds} />;
  }
  return (
    <Chart
      title={graph.title}
      unit={graph.unit}
      data={data}
      range={current.bounds}
      madeUp={current.answer.madeUp}
      limits={graph.limits ?? []}
      onZoom={(fromMs, toMs) => setGraphRange({ kind: 'fixed', fromMs, toMs })}
      onReset={() => setGraphRange({ kind: 'recent', seconds: 3600 })}
    />
  );
}

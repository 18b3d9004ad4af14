import { signal } from '@preact/signals';
import type { HistoryGap } from '../../../../src/client/index.ts';
import { graphRange } from './graph-range.ts';
import { type Bounds, loadStates } from './load-history.ts';
import { findSpans, type StateSpan } from './state-spans.ts';
import { boundsOf, formatRange } from './time-range.ts';

const record = 'IF-MIB::ifEntry';
const fields = ['netif.status.oper.name', 'netif.status.oper'];
const maxAgeMs = 30_000;
const maxRows = 60;
/** A bar is about a hundred pixels wide. */
const wantedSteps = 120;
const stepSeconds = 300;
const asPolledSeconds = 3600;

export interface StateLine {
  readonly loadedMs: number;
  readonly range: Bounds;
  readonly spans: readonly StateSpan[];
  readonly gaps: readonly HistoryGap[];
}

/** The states of interfaces that were loaded, by `keyOf`. */
export const stateLines = signal<ReadonlyMap<string, StateLine>>(new Map());
let timer: ReturnType<typeof setTimeout> | undefined;

/** The states of an interface over the time that the graphs show. */
export function keyOf(device: string, row: string): string {
  return [device, row, formatRange(graphRange.value)].join('\n');
}

/** Loads the states of these rows with one request, unless they are fresh. Called often: the last call counts. */
export function wantStateLines(device: string, rows: readonly string[]): void {
  clearTimeout(timer);
  timer = setTimeout(() => void load(device, rows), 150);
}

async function load(device: string, rows: readonly string[]): Promise<void> {
  const nowMs = Date.now();
  const wanted = rows
    .map((row) => ({ row, key: keyOf(device, row) }))
    .filter(({ key }) => nowMs - (stateLines.peek().get(key)?.loadedMs ?? 0) > maxAgeMs)
    .slice(0, maxRows);
  if (wanted.length === 0) return;
  const range = boundsOf(graphRange.peek(), nowMs);
  const query = { device, record, fields, rows: wanted.map(({ row }) => row) };
  try {
    const answer = await loadStates(query, range, new AbortController().signal, chooseStep(range));
    const lines = wanted.map(({ row, key }): [string, StateLine] => {
      const isRow = (each: { readonly row: string; readonly names?: unknown }) =>
        each.row === row && each.names !== undefined;
      const series = answer.series.find(isRow);
      const lows = answer.lows?.series.find(isRow)?.values;
      const spans = series === undefined ? [] : findSpans(answer.times, { ...series, lows }, range.toMs);
      return [key, { loadedMs: nowMs, range, spans, gaps: series?.gaps ?? [] }];
    });
    stateLines.value = new Map([...stateLines.peek(), ...lines]);
  } catch {
    // A table without states over time is still a table.
  }
}

function chooseStep({ fromMs, toMs }: Bounds): number | undefined {
  const seconds = (toMs - fromMs) / 1000;
  if (seconds <= asPolledSeconds) return undefined;
  return Math.ceil(seconds / wantedSteps / stepSeconds) * stepSeconds;
}

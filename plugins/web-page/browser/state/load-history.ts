import type { HistoryAnswer } from '../../../../src/client/index.ts';
import { api } from './api.ts';
import { withoutLead } from './plot-data.ts';
import { chooseStep } from './time-range.ts';

/** What a graph asks the history for. */
export interface HistoryQuery {
  readonly device: string;
  readonly record: string;
  readonly rows?: readonly string[] | undefined;
  readonly fields: readonly string[];
}

export interface Bounds {
  readonly fromMs: number;
  readonly toMs: number;
}

/** States, and the lowest one of each step where a step has several polls. */
export interface StateAnswer extends HistoryAnswer {
  readonly lows?: HistoryAnswer | undefined;
}

export async function loadHistory(
  { device, record, rows, fields }: HistoryQuery,
  { fromMs, toMs }: Bounds,
  signal: AbortSignal,
  more: { readonly step?: number | undefined; readonly aggregate?: 'min' | 'max' } = {
    step: chooseStep(fromMs, toMs),
  },
): Promise<HistoryAnswer> {
  const { step, aggregate } = more;
  const { body } = await api.call('getHistory', {
    query: {
      device,
      record,
      field: fields,
      from: String(Math.floor(fromMs)),
      to: String(Math.ceil(toMs)),
      ...(rows === undefined ? {} : { row: rows }),
      ...(step === undefined ? {} : { step }),
      ...(aggregate === undefined ? {} : { aggregate }),
    },
    signal,
  });
  return { ...body, series: body.series.map((each) => withoutLead(each, body.times)) };
}

/** A state has no mean: of a step with several polls, the highest and the lowest number are asked for. */
export async function loadStates(
  query: HistoryQuery,
  bounds: Bounds,
  signal: AbortSignal,
  step = chooseStep(bounds.fromMs, bounds.toMs),
): Promise<StateAnswer> {
  if (step === undefined) return loadHistory(query, bounds, signal, {});
  const [highs, lows] = await Promise.all(
    (['max', 'min'] as const).map((aggregate) => loadHistory(query, bounds, signal, { step, aggregate })),
  );
  return { ...highs!, lows };
}

import { ownRecord } from '../../../src/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { HistoryAnswer, HistoryGap, HistoryQuestion, HistorySeries } from '../service.ts';

/** Why there is no value when nothing was polled and the reason is not known. */
export const unpolled = 'unpolled';
const health = ownRecord('device');
const minStepMs = 1_000;
const healthSteps = 1_000;

/** What to ask next to learn when devices were down. Undefined when no hole of the answer needs an explanation. */
export function askHealth(question: HistoryQuestion, { series }: HistoryAnswer): HistoryQuestion | undefined {
  const devices = new Set(
    series.filter(({ gaps }) => gaps.some(({ why }) => why === unpolled)).map(({ device }) => device),
  );
  if (devices.size === 0 || question.record === health) return undefined;
  const { fromMs, toMs, stepMs = Math.max(minStepMs, Math.ceil((toMs - fromMs) / healthSteps)) } = question;
  return { devices: [...devices], record: health, fields: ['up'], fromMs, toMs, stepMs, aggregate: 'min' };
}

/**
 * Replaces `unpolled` by `down` where the device was down, in turns with other work. A collector that did not run recorded nothing about it.
 */
export async function explainHoles(
  question: HistoryQuestion,
  { times, series }: HistoryAnswer,
  states: HistoryAnswer,
  turns: SliceTurns,
): Promise<HistoryAnswer> {
  const downTimes = new Map(
    states.series.map(({ device, values }) => [device, states.times.filter((_, i) => values[i] === 0)]),
  );
  const explained: HistorySeries[] = [];
  for (const each of series) {
    await turns.rest();
    const downs = downTimes.get(each.device) ?? [];
    explained.push(downs.length === 0 ? each : explainSeries(each, times, downs, question));
  }
  return { times, series: explained };
}

function explainSeries(
  series: HistorySeries,
  times: readonly number[],
  downs: readonly number[],
  { stepMs, toMs }: HistoryQuestion,
): HistorySeries {
  if (stepMs !== undefined) {
    const down = new Set(downs);
    return { ...series, gaps: series.gaps.flatMap((gap) => splitGap(gap, down, stepMs)) };
  }
  // Gaps, times and downs are ascending: each list is gone through once.
  let [at, next] = [0, 0];
  const gaps = series.gaps.map((gap) => {
    if (gap.why !== unpolled) return gap;
    while (at < times.length && (times[at]! <= gap.toMs || series.values[at] === null)) at++;
    while (next < downs.length && downs[next]! < gap.fromMs) next++;
    const isDown = (downs[next] ?? Number.POSITIVE_INFINITY) < (times[at] ?? toMs);
    return isDown ? { ...gap, why: 'down' } : gap;
  });
  return { ...series, gaps };
}

function splitGap(gap: HistoryGap, down: ReadonlySet<number>, stepMs: number): HistoryGap[] {
  if (gap.why !== unpolled) return [gap];
  const parts: { fromMs: number; toMs: number; why: string }[] = [];
  for (let timeMs = gap.fromMs; timeMs < gap.toMs; timeMs += stepMs) {
    const why = down.has(timeMs) ? 'down' : unpolled;
    const last = parts.at(-1);
    if (last?.why === why) last.toMs = timeMs + stepMs;
    else parts.push({ fromMs: timeMs, toMs: timeMs + stepMs, why });
  }
  return parts;
}

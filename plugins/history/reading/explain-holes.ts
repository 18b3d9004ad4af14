import { ownRecord } from '../../../src/internal.ts';
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

/** Replaces `unpolled` by `down` where the device was down. A collector that did not run recorded nothing about it. */
export function explainHoles(
  question: HistoryQuestion,
  { times, series }: HistoryAnswer,
  states: HistoryAnswer,
): HistoryAnswer {
  const downTimes = new Map(
    states.series.map(({ device, values }) => [device, states.times.filter((_, i) => values[i] === 0)]),
  );
  return {
    times,
    series: series.map((each) => {
      const downs = downTimes.get(each.device) ?? [];
      return downs.length === 0
        ? each
        : { ...each, gaps: each.gaps.flatMap((gap) => explain(gap, each, times, downs, question)) };
    }),
  };
}

function explain(
  gap: HistoryGap,
  series: HistorySeries,
  times: readonly number[],
  downs: readonly number[],
  { stepMs, toMs }: HistoryQuestion,
): HistoryGap[] {
  if (gap.why !== unpolled) return [gap];
  if (stepMs === undefined) {
    const next = times.find((timeMs, i) => timeMs > gap.toMs && series.values[i] !== null) ?? toMs;
    const isDown = downs.some((timeMs) => timeMs >= gap.fromMs && timeMs < next);
    return [isDown ? { ...gap, why: 'down' } : gap];
  }
  const down = new Set(downs);
  const parts: { fromMs: number; toMs: number; why: string }[] = [];
  for (let timeMs = gap.fromMs; timeMs < gap.toMs; timeMs += stepMs) {
    const why = down.has(timeMs) ? 'down' : unpolled;
    const last = parts.at(-1);
    if (last?.why === why) last.toMs = timeMs + stepMs;
    else parts.push({ fromMs: timeMs, toMs: timeMs + stepMs, why });
  }
  return parts;
}

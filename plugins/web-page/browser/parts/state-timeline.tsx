import type { HistoryAnswer } from '../../../../src/client/index.ts';
import { MadeUpNote } from './made-up-note.tsx';
import { toneOf } from './state-badge.tsx';
import { findSpans } from './state-spans.ts';
import { formatClock } from './time-text.ts';

/** States over time, as a bar whose parts have the colours of the states. */
export function StateTimeline({
  title,
  answer,
  range,
}: {
  readonly title: string;
  readonly answer: HistoryAnswer;
  readonly range: { readonly fromMs: number; readonly toMs: number };
}) {
  const series = answer.series.find(({ names }) => names !== undefined) ?? answer.series[0];
  const spans = series === undefined ? [] : findSpans(answer.times, series.values, series.names, range.toMs);
  const whole = range.toMs - range.fromMs;
  const last = spans.at(-1);
  return (
    <figure class="chart timeline">
      <figcaption>
        <span class="title">{title}</span>
        {answer.madeUp !== undefined && <MadeUpNote until={answer.madeUp.to} />}
        <span class="quiet">
          {last === undefined ? 'no states in this time' : `${last.name}; ${spans.length - 1} changes`}
        </span>
      </figcaption>
      <svg
        viewBox="0 0 1000 16"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${spans.length - 1} changes`}
      >
        {spans.map(({ name, fromMs, toMs }) => (
          <rect
            key={fromMs}
            class={`tone-${toneOf(name)}`}
            x={((fromMs - range.fromMs) / whole) * 1000}
            width={Math.max(1, ((toMs - fromMs) / whole) * 1000)}
            y={0}
            height={16}
          >
            <title>{`${name} from ${formatClock(fromMs, Date.now())} to ${formatClock(toMs, Date.now())}`}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}

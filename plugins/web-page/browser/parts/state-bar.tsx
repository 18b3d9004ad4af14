import type { HistoryGap } from '../../../../src/client/index.ts';
import type { Bounds } from '../state/load-history.ts';
import type { StateSpan } from '../state/state-spans.ts';
import { explainGap } from './gap-words.ts';
import { formatClock } from './time-text.ts';

const width = 1000;

/** States over time in their colours. Times without values are hatched, and the hover says why. */
export function StateBar({
  spans,
  gaps,
  range,
  label,
  height = 16,
}: {
  readonly spans: readonly StateSpan[];
  readonly gaps: readonly HistoryGap[];
  readonly range: Bounds;
  readonly label: string;
  readonly height?: number;
}) {
  const whole = range.toMs - range.fromMs;
  const place = (fromMs: number, toMs: number) => {
    const left = Math.max(0, ((fromMs - range.fromMs) / whole) * width);
    const right = Math.min(width, ((toMs - range.fromMs) / whole) * width);
    return { x: left, width: Math.max(2, right - left), y: 0, height };
  };
  const clock = (ms: number) => formatClock(ms, Date.now());
  return (
    <svg
      class="state-bar"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      style={{ height: `${height}px` }}
    >
      {spans.map(({ name, tone, fromMs, toMs }) => (
        <rect key={fromMs} class={`tone-${tone}`} {...place(fromMs, toMs)}>
          <title>{`${name} from ${clock(fromMs)} to ${clock(toMs)}`}</title>
        </rect>
      ))}
      {gaps.map(({ from, to, why }) => (
        <rect key={from} class="tone-gap" {...place(from, to)}>
          <title>{`${explainGap(why)} ${clock(from)} to ${clock(to)}`}</title>
        </rect>
      ))}
    </svg>
  );
}

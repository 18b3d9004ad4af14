import type { Bounds, StateAnswer } from '../state/load-history.ts';
import { findSpans } from '../state/state-spans.ts';
import { countOf } from './count-text.ts';
import { MadeUpNote } from './made-up-note.tsx';
import { StateBar } from './state-bar.tsx';
import { formatClock } from './time-text.ts';

/** States over time, with the times at both ends. */
export function StateTimeline({
  title,
  answer,
  range,
}: {
  readonly title: string;
  readonly answer: StateAnswer;
  readonly range: Bounds;
}) {
  const series = answer.series.find(({ names }) => names !== undefined) ?? answer.series[0];
  const lows = answer.lows?.series.find(({ field }) => field === series?.field)?.values;
  const spans = series === undefined ? [] : findSpans(answer.times, { ...series, lows }, range.toMs);
  const last = spans.at(-1);
  const changes = countOf(Math.max(0, spans.length - 1), 'change');
  return (
    <figure class="chart timeline">
      <figcaption>
        <span class="title">{title}</span>
        {answer.madeUp !== undefined && <MadeUpNote until={answer.madeUp.to} />}
        <span class="quiet">
          {last === undefined ? 'No states in this time.' : `${last.name}; ${changes}`}
        </span>
      </figcaption>
      <StateBar spans={spans} gaps={series?.gaps ?? []} range={range} label={`${title}: ${changes}`} />
      <p class="ends quiet" aria-hidden="true">
        <span>{formatClock(range.fromMs, Date.now())}</span>
        <span>{formatClock(range.toMs, Date.now())}</span>
      </p>
    </figure>
  );
}

import { graphRange, setGraphRange } from '../state/graph-range.ts';
import { recentRanges } from '../state/time-range.ts';
import { formatClock } from './time-text.ts';

/** Chooses the time that all graphs show. Dragging over a graph selects a part of it. */
export function RangePicker() {
  const range = graphRange.value;
  return (
    <fieldset class="segments" aria-label="Time of the graphs">
      {range.kind === 'fixed' && (
        <button
          type="button"
          class="chosen"
          title="Back to the present"
          onClick={() => setGraphRange({ kind: 'recent', seconds: 3600 })}
        >
          {formatClock(range.fromMs, Date.now())} – {formatClock(range.toMs, Date.now())} ×
        </button>
      )}
      {recentRanges.map(({ label, seconds }) => {
        const isChosen = range.kind === 'recent' && range.seconds === seconds;
        return (
          <button
            key={seconds}
            type="button"
            aria-pressed={isChosen}
            class={isChosen ? 'chosen' : undefined}
            onClick={() => setGraphRange({ kind: 'recent', seconds })}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}

import { LinePanel } from '../parts/line-panel.tsx';
import { Ago } from '../parts/texts.tsx';
import { now } from '../state/now.ts';
import { events } from '../state/recent-events.ts';
import { EventSentence } from './event-sentence.tsx';
import { foldRepeats } from './fold-repeats.ts';

const hourMs = 3_600_000;
const shownEvents = 12;

/** Events that nobody needs to see on the first page. */
const routine = new Set([
  'discovery.started',
  'scan.started',
  'scan.progressed',
  'collector.ready',
  'shard.gained',
  'shard.lost',
]);

/** What happened in the last hour, newest first, as far as the collector keeps events. What a device repeats is counted. */
export function RecentChanges() {
  const recent = events.value.filter(({ event, at }) => !routine.has(event.name) && at > now.value - hourMs);
  return (
    <LinePanel
      title="Changes in the last hour"
      aside={<a href="#/events">all events</a>}
      empty="Nothing changed that the collector still remembers."
      lines={foldRepeats(recent)
        .slice(0, shownEvents)
        .map(({ event, at, times, others }) => ({
          key: event.id,
          text: (
            <>
              <EventSentence event={event} others={others} />
              {times > 1 && (
                <span class="quiet" title={`${times} times in the last hour`}>
                  {' '}
                  {times} ×
                </span>
              )}
            </>
          ),
          end: <Ago at={at} />,
        }))}
    />
  );
}

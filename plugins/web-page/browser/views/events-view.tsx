import { useSignal } from '@preact/signals';
import { countOf } from '../parts/count-text.ts';
import { ChoiceField, SearchField } from '../parts/filter-fields.tsx';
import { LongTable } from '../parts/long-table.tsx';
import { Clock } from '../parts/texts.tsx';
import { place } from '../state/place.ts';
import { events, type SeenEvent } from '../state/recent-events.ts';
import { EventDialog } from './event-dialog.tsx';
import { EventSentence } from './event-sentence.tsx';

const kinds = [
  'device',
  'discovery',
  'definitions',
  'trap',
  'output',
  'scan',
  'cluster',
  'collector',
] as const;

/** Which events belong to a filter of the view. */
const prefixes: Readonly<Record<string, readonly string[]>> = { cluster: ['cluster.', 'shard.', 'member.'] };

/** What happens, as it happens. */
export function EventsView() {
  const { kind = '', find = '' } = place.value.query;
  const paused = useSignal<readonly SeenEvent[] | undefined>(undefined);
  const chosen = useSignal<SeenEvent | undefined>(undefined);
  const source = paused.value ?? events.value;
  const wanted = find.toLowerCase();
  const shown = source.filter(
    ({ event }) =>
      (kind === '' || (prefixes[kind] ?? [`${kind}.`]).some((prefix) => event.name.startsWith(prefix))) &&
      (wanted === '' || `${event.name} ${JSON.stringify(event.data)}`.toLowerCase().includes(wanted)),
  );
  const behind =
    paused.value === undefined
      ? 0
      : events.value.findIndex(({ event }) => event.id === paused.value?.[0]?.event.id);
  return (
    <div class="view full">
      <h1>Events</h1>
      <search class="filters">
        <SearchField name="find" label="Search events" placeholder="Device, reason or any text" />
        <ChoiceField name="kind" label="Kind" all="All kinds" choices={kinds} />
        <button
          type="button"
          aria-pressed={paused.value !== undefined}
          onClick={() => {
            paused.value = paused.value === undefined ? events.value : undefined;
          }}
        >
          {paused.value === undefined ? 'Pause' : 'Go on'}
        </button>
        <output class="quiet">
          {countOf(shown.length, 'event')}
          {behind > 0 && `, ${countOf(behind, 'newer one is waiting', 'newer ones are waiting')}`}
        </output>
      </search>
      {shown.length === 0 ? (
        <p class="empty">
          No event {source.length === 0 ? 'yet. Events of every poll are left out here' : 'fits'}.
        </p>
      ) : (
        <LongTable
          label="Events"
          rows={shown}
          keyOf={({ event }) => event.id}
          onOpen={(seen) => {
            chosen.value = seen;
          }}
          columns={[
            { id: 'time', title: 'Time', className: 'mono time-cell', show: ({ at }) => <Clock at={at} /> },
            { id: 'name', title: 'Event', className: 'mono optional', show: ({ event }) => event.name },
            {
              id: 'what',
              title: 'What happened',
              className: 'rest',
              show: ({ event }) => <EventSentence event={event} />,
            },
          ]}
        />
      )}
      {chosen.value !== undefined && (
        <EventDialog
          seen={chosen.value}
          onClose={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </div>
  );
}

import type { FollowedEvent } from '../../../../../src/client/index.ts';
import { LinePanel } from '../../parts/line-panel.tsx';
import { Ago, Clock } from '../../parts/texts.tsx';
import { events } from '../../state/recent-events.ts';
import { formatPlace } from '../../state/route-text.ts';
import { EventSentence } from '../event-sentence.tsx';
import type { DeviceTabProps } from './device-rows.ts';

const shownEvents = 200;

/** What happened to the device, as far as the collector remembers. */
export function EventsTab({ device }: Pick<DeviceTabProps, 'device'>) {
  const own = events.value.filter(({ event }) => isAbout(event, device.ip, device.port));
  return (
    <LinePanel
      title="Events of this device"
      aside={<a href={formatPlace(['events'], { find: device.name })}>in all events</a>}
      isWide
      empty="Nothing that the collector still remembers."
      lines={own.slice(0, shownEvents).map(({ event, at }) => ({
        key: event.id,
        start: (
          <span class="mono quiet">
            <Clock at={at} />
          </span>
        ),
        text: <EventSentence event={event} />,
        end: <Ago at={at} />,
      }))}
    />
  );
}

function isAbout({ data }: FollowedEvent, ip: string, port: number): boolean {
  return 'device' in data && data.device.ip === ip && data.device.port === port;
}

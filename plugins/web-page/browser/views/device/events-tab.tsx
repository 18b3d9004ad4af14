import type { FollowedEvent } from '../../../../../src/client/index.ts';
import { Panel, Quiet } from '../../parts/panel.tsx';
import { formatPlace } from '../../parts/route-text.ts';
import { Clock } from '../../parts/texts.tsx';
import { events } from '../../state/recent-events.ts';
import { EventSentence } from '../event-sentence.tsx';
import type { DeviceTabProps } from './device-rows.ts';

const shownEvents = 200;

/** What happened to the device, as far as the collector remembers. */
export function EventsTab({ device }: Pick<DeviceTabProps, 'device'>) {
  const own = events.value.filter(({ event }) => isAbout(event, device.ip, device.port));
  return (
    <Panel
      title="Events of this device"
      aside={<a href={formatPlace(['events'], { find: device.name })}>in all events</a>}
      isWide
    >
      {own.length === 0 && <Quiet>Nothing that the collector still remembers.</Quiet>}
      <ul class="lines">
        {own.slice(0, shownEvents).map(({ event, at }) => (
          <li key={event.id}>
            <span class="mono quiet">
              <Clock at={at} />
            </span>
            <span class="why">
              <EventSentence event={event} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function isAbout({ data }: FollowedEvent, ip: string, port: number): boolean {
  return 'device' in data && data.device.ip === ip && data.device.port === port;
}

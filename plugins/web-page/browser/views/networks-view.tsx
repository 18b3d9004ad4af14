import type { EndedNetworkScan, NetworkScan } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';
import { LinePanel } from '../parts/line-panel.tsx';
import { showNumber } from '../parts/number-text.ts';
import { Facts, Panel, Quiet, Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Ago, DeviceText, Num } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { act } from '../state/notices.ts';
import { usePolled } from '../state/polled.ts';
import { events } from '../state/recent-events.ts';
import { session } from '../state/session.ts';
import { EventSentence } from './event-sentence.tsx';

const shownFound = 50;
const snmpPort = 161;

/** Scans of networks: what runs, what the last one found, and what was found lately. */
export function NetworksView() {
  const scans = usePolled(
    'scans',
    2_000,
    async (signal) => (await api.call('getNetworkScans', { signal })).body,
  );
  const { networks, running, last, nextAt } = scans.value ?? {};
  const scan = (network?: string) =>
    act(async () => {
      await api.call('scanNetworks', { query: network === undefined ? {} : { network } });
      scans.reload();
      return network === undefined
        ? 'A scan of all networks was requested.'
        : `A scan of ${network} was requested.`;
    });
  const canScan = session.value?.canOperate === true;
  return (
    <div class="view">
      <div class="title-row">
        <h1>Networks</h1>
        {nextAt !== undefined && (
          <span class="quiet">
            The next scan begins <Ago at={nextAt} />.
          </span>
        )}
        {canScan && (
          <div class="actions">
            <button type="button" disabled={running !== undefined} onClick={() => void scan()}>
              {running === undefined ? 'Scan all networks now' : 'Scanning …'}
            </button>
          </div>
        )}
      </div>
      <Trouble problem={scans.problem} />
      <div class="halves">
        <div>
          <Panel title={running === undefined ? 'Last scan' : 'Running scan'}>
            <Shown running={running} last={last} />
          </Panel>
        </div>
        <div>
          <LinePanel
            title="Networks"
            aside={<span class="quiet">{networks?.length}</span>}
            empty="No networks. Write them into autodiscover/networks.yml of the definitions."
            lines={networks?.map(({ id, ranges, port, file, line }) => ({
              key: id,
              text: (
                <>
                  <DeviceText text={id} max={60} />
                  <small class="quiet">
                    <span class="mono">
                      <DeviceText text={ranges.join(', ')} max={200} />
                    </span>
                    {port !== snmpPort && `, port ${port}`}, {file}:{line}
                  </small>
                </>
              ),
              end: canScan && (
                <button type="button" disabled={running !== undefined} onClick={() => void scan(id)}>
                  Scan<span class="for-readers"> {id}</span>
                </button>
              ),
            }))}
          />
          <Found />
        </div>
      </div>
    </div>
  );
}

/** Why a scan began. */
const causes: Readonly<Record<string, string>> = {
  initial: 'the collector started',
  scheduled: 'its time had come',
  changed: 'the networks were changed',
  requested: 'somebody requested it',
};

function Shown({
  running,
  last,
}: {
  readonly running: NetworkScan | undefined;
  readonly last: EndedNetworkScan | undefined;
}) {
  const scan = running ?? last;
  if (scan === undefined) return <Quiet>No scan has ended yet.</Quiet>;
  return (
    <>
      {running !== undefined && (
        <p>
          <progress max={running.addresses} value={running.visited} aria-label="Progress of the scan" />{' '}
          {running.visited} of {running.addresses} addresses
        </p>
      )}
      {running === undefined && <Trouble problem={last?.problem?.message} />}
      <Facts
        facts={[
          ['Networks', <DeviceText key="networks" text={scan.networks.join(', ')} max={300} />],
          ['Why', causes[scan.cause] ?? scan.cause],
          ['Addresses', <Num key="addresses" value={scan.addresses} />],
          ['Answered', <Num key="answered" value={scan.answered} />],
          ['New devices', <Num key="found" value={scan.found} />],
          [
            'Refused',
            scan.refused === 0
              ? 'none'
              : `${countOf(scan.refused, 'agent')} accepted none of the credentials`,
          ],
          [
            'Skipped',
            scan.known === 0
              ? 'none'
              : `${countOf(scan.known, 'device')} of the definition files or of the API`,
          ],
          [
            'Silent now',
            scan.silent === 0
              ? 'none'
              : `${countOf(scan.silent, 'device')} found earlier, of which ${scan.removed} were removed`,
          ],
        ]}
      />
      {running === undefined && last !== undefined && (
        <p class="quiet">
          Began <Ago at={last.beganAt} />, took {showNumber(last.durationMs, 'ms')}.
        </p>
      )}
    </>
  );
}

/** What scans added, from the events that the collector still has. */
function Found() {
  const shown = events.value.filter(
    ({ event }) =>
      event.name === 'scan.completed' ||
      event.name === 'scan.failed' ||
      (event.name === 'device.added' && event.data.cause.startsWith('a scan of the network')),
  );
  return (
    <LinePanel
      title="Found by scans"
      aside={<a href="#/events?kind=scan">events of scans</a>}
      empty="Nothing that the collector still remembers."
      lines={shown.slice(0, shownFound).map(({ event, at }) => ({
        key: event.id,
        start: event.name === 'device.added' && <StateBadge state="found" />,
        text: <EventSentence event={event} />,
        end: <Ago at={at} />,
      }))}
    />
  );
}

import type { Trap, TrapSenders } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';
import { ChoiceField } from '../parts/filter-fields.tsx';
import { type Column, LongTable } from '../parts/long-table.tsx';
import { Facts, Panel, Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Ago, Clock, DeviceText, Num } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { place, select } from '../state/place.ts';
import { usePolled } from '../state/polled.ts';
import { formatPlace } from '../state/route-text.ts';
import { TrapDialog } from './trap-dialog.tsx';

const maxEngines = 50;
const severities = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const;

/** Notifications: the ones that are still open, all of them, and where refused ones came from. */
export function TrapsView() {
  const { tab = 'open' } = place.value.query;
  return (
    <div class="view full">
      <h1>Traps</h1>
      <Tabs
        shown={tab}
        words={['traps']}
        tabs={[
          { id: 'open', label: 'Open' },
          { id: 'all', label: 'All' },
          { id: 'senders', label: 'Senders and statistics' },
        ]}
      />
      {tab === 'senders' ? <Senders /> : <TrapTable key={tab} isOpen={tab !== 'all'} />}
    </div>
  );
}

const trapColumns: readonly Column<Trap>[] = [
  {
    id: 'time',
    title: 'Time',
    className: 'mono time-cell',
    show: ({ time }) => <Clock at={time} />,
  },
  {
    id: 'severity',
    title: 'Severity',
    className: 'state-cell',
    show: ({ severity: level }) => <StateBadge state={level} />,
  },
  {
    id: 'device',
    title: 'Device',
    show: ({ device: { name, port }, source }) =>
      port === 0 ? (
        <DeviceText text={name || source} max={40} />
      ) : (
        <a href={formatPlace(['device', name])}>
          <DeviceText text={name} max={40} />
        </a>
      ),
  },
  {
    id: 'name',
    title: 'Notification',
    className: 'mono optional',
    show: ({ name }) => <DeviceText text={name} max={60} />,
  },
  {
    id: 'message',
    title: 'Message',
    className: 'rest',
    show: ({ message, name }) => <DeviceText text={message ?? name} max={120} />,
  },
  {
    id: 'source',
    title: 'From',
    className: 'mono optional',
    show: ({ source, version }) => `${source} v${version}`,
  },
];

function TrapTable({ isOpen }: { readonly isOpen: boolean }) {
  const { device = '', severity = '', trap = '' } = place.value.query;
  const query = {
    limit: 500,
    ...(device === '' ? {} : { device }),
    ...(severity === '' ? {} : { severity }),
  };
  const listed = usePolled(
    `traps ${isOpen} ${JSON.stringify(query)}`,
    3_000,
    async (signal) => (await api.call(isOpen ? 'listOpenTraps' : 'listTraps', { query, signal })).body.traps,
  );
  const chosen = useTrap(trap);
  return (
    <>
      <search class="filters">
        <input
          type="search"
          aria-label="Device"
          placeholder="Name or address of a device"
          value={device}
          onChange={(event) => select({ device: event.currentTarget.value.trim() })}
        />
        <ChoiceField name="severity" label="Severity" all="Any severity" choices={severities} />
      </search>
      <Trouble problem={listed.problem} />
      {listed.value?.length === 0 && (
        <p class="empty">
          {isOpen
            ? 'No problem is open. A notification such as linkDown opens one, and linkUp closes it.'
            : 'No notification was received since the collector started.'}
        </p>
      )}
      {listed.value !== undefined && listed.value.length > 0 && (
        <LongTable
          label="Traps"
          rows={listed.value}
          keyOf={({ trapId }) => trapId}
          onOpen={({ trapId }) => select({ trap: trapId })}
          columns={trapColumns}
        />
      )}
      {chosen !== undefined && <TrapDialog trap={chosen} onClose={() => select({ trap: '' })} />}
    </>
  );
}

/** The notification that the address names, also when the list does not have it any more. */
function useTrap(id: string): Trap | undefined {
  const loaded = usePolled(`trap ${id}`, 0, async (signal) =>
    id === '' ? undefined : (await api.call('getTrap', { path: { trap_id: id }, signal })).body,
  );
  return loaded.value;
}

function Senders() {
  const loaded = usePolled('trap senders', 5_000, async (signal) => {
    const [statistics, senders] = await Promise.all([
      api.call('getTrapStatistics', { signal }),
      api.call('listTrapSenders', { signal }),
    ]);
    return { statistics: statistics.body, senders: senders.body };
  });
  if (loaded.value === undefined) return <Trouble problem={loaded.problem} />;
  const { statistics, senders } = loaded.value;
  return (
    <div class="grid">
      <Panel title="Datagrams">
        <Facts
          facts={[
            ['Received', <Num key="received" value={statistics.received} />],
            ['Accepted', <Num key="accepted" value={statistics.accepted} />],
            ...listCauses('Collapsed', statistics.collapsed),
            ...listCauses('Dropped', statistics.dropped),
            ['Listens on', statistics.listeners.map(({ address, port }) => `${address}:${port}`).join(', ')],
            [
              'Own engine',
              <span key="engine" class="mono">
                {statistics.engineId}
              </span>,
            ],
          ]}
        />
      </Panel>
      <Panel title="Refused senders">
        {senders.refused.length === 0 && <p class="quiet">None: every sender was recognized.</p>}
        <table class="plain">
          <tbody>
            {senders.refused.map(({ source, cause, count }) => (
              <tr key={`${source} ${cause}`}>
                <td class="mono">{source}</td>
                <td>{cause}</td>
                <td class="right">
                  <Num value={count} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <Engines senders={senders} />
    </div>
  );
}

/** Who may send with SNMPv3, and which engines were learned. */
function Engines({ senders: { users, engines } }: { readonly senders: TrapSenders }) {
  if (users.length + engines.length === 0) return null;
  return (
    <Panel title="SNMPv3 senders" aside={<span class="quiet">{countOf(users.length, 'user')}</span>}>
      <table class="plain">
        <thead>
          <tr>
            <th>Address</th>
            <th>Engine</th>
            <th class="right">boots</th>
            <th class="right">running since</th>
          </tr>
        </thead>
        <tbody>
          {engines.slice(0, maxEngines).map(({ address, engineId, boots, startedAt }) => (
            <tr key={`${address} ${engineId}`}>
              <td class="mono">{address}</td>
              <td class="mono">
                <DeviceText text={engineId} />
              </td>
              <td class="right">
                <Num value={boots} />
              </td>
              <td class="right">
                <Ago at={startedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {engines.length === 0 && <p class="quiet">No engine has been learned yet.</p>}
      {engines.length > maxEngines && <p class="quiet">and {engines.length - maxEngines} more</p>}
      <h3>Users</h3>
      <p class="labels">
        {users.map(({ user, level, engineIds }) => (
          <span key={`${user} ${level} ${engineIds}`} class="tag" title={engineIds.join(', ')}>
            <DeviceText text={user} max={40} /> <span class="quiet">{level}</span>
          </span>
        ))}
      </p>
    </Panel>
  );
}

/** Only what happened: most causes never do. */
function listCauses(what: string, counts: Readonly<Record<string, number>>) {
  const happened = Object.entries(counts).filter(([, count]) => count > 0);
  if (happened.length === 0) return [[what, <Num key={what} value={0} />] as const];
  return happened.map(([cause, count]) => [`${what}: ${cause}`, <Num key={cause} value={count} />] as const);
}

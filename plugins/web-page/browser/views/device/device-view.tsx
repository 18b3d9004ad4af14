import type { DeviceRecord } from '../../../../../src/client/index.ts';
import { showNumber } from '../../parts/number-text.ts';
import { Facts, Trouble } from '../../parts/panel.tsx';
import { RangePicker } from '../../parts/range-picker.tsx';
import { For } from '../../parts/state-age.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { DeviceText } from '../../parts/texts.tsx';
import { api } from '../../state/api.ts';
import { runs } from '../../state/fleet.ts';
import { place } from '../../state/place.ts';
import { usePolled } from '../../state/polled.ts';
import { formatPlace } from '../../state/route-text.ts';
import { DeviceActions } from './device-actions.tsx';
import { identify, vendorName } from './device-identity.ts';
import { type DeviceTabProps, joinRecords, type RecordTable, rowsOf } from './device-rows.ts';
import { EventsTab } from './events-tab.tsx';
import { ExplainDialog } from './explain-dialog.tsx';
import { useInterfaceRates } from './interface-rates.ts';
import { InterfacesTab } from './interfaces-tab.tsx';
import { NeighboursTab, neighbourRecords } from './neighbours-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PollingTab } from './polling-tab.tsx';
import { SensorsTab } from './sensors-tab.tsx';
import { ValuesTab } from './values-tab.tsx';

const reloadMs = 5_000;
const pageRows = 1000;
const maxPages = 20;
const noTables: readonly RecordTable[] = [];

/** Everything about one device. */
export function DeviceView() {
  const name = place.value.words[1] ?? '';
  const { tab = 'overview' } = place.value.query;
  const details = usePolled(
    `device ${name}`,
    reloadMs,
    async (signal) => (await api.call('getDeviceByName', { path: { device: name }, signal })).body,
  );
  const values = usePolled(`records ${name}`, reloadMs, (signal) => loadRecords(name, signal));
  const device = details.value;
  const tables = useInterfaceRates(device, values.value ?? noTables);
  if (device === undefined) {
    return (
      <div class="view">
        <h1>
          <DeviceText text={name} />
        </h1>
        {details.problem === undefined ? (
          <p class="quiet">Loading …</p>
        ) : (
          <Trouble problem={details.problem} />
        )}
      </div>
    );
  }
  const countOf = (...records: readonly string[]) =>
    records.reduce((sum, record) => sum + rowsOf(tables, record).length, 0);
  const tabs = [
    { id: 'overview', label: 'Overview' },
    { id: 'interfaces', label: 'Interfaces', count: countOf('IF-MIB::ifEntry') },
    { id: 'sensors', label: 'Sensors', count: countOf('sensor') },
    { id: 'neighbours', label: 'Neighbours', count: countOf(...neighbourRecords) },
    { id: 'values', label: 'All values' },
    { id: 'polling', label: 'Polling' },
    { id: 'events', label: 'Events' },
  ].filter(({ count }) => count !== 0);
  const reload = () => {
    details.reload();
    values.reload();
  };
  const props = { device, tables };
  return (
    <div class="view">
      <DeviceHead device={device} tables={tables} onActed={reload} />
      <Tabs
        tabs={tabs}
        shown={tab}
        words={['device', name]}
        aside={
          runs('history') && ['overview', 'interfaces', 'sensors'].includes(tab) ? <RangePicker /> : undefined
        }
      />
      <Trouble problem={details.problem ?? values.problem} />
      {values.value === undefined && values.problem === undefined && <p class="quiet">Loading values …</p>}
      {values.value !== undefined && tables.length === 0 && !['polling', 'events'].includes(tab) && (
        <p class="empty">
          {device.state === 'up'
            ? 'There are no values of this device yet: its first poll has not ended.'
            : `There are no values of this device yet, because it is ${device.state}. The reason is above.`}
        </p>
      )}
      {tab === 'overview' && <OverviewTab key={name} {...props} />}
      {tab === 'interfaces' && <InterfacesTab key={name} {...props} />}
      {tab === 'sensors' && <SensorsTab key={name} {...props} />}
      {tab === 'neighbours' && <NeighboursTab {...props} />}
      {tab === 'values' && <ValuesTab key={name} {...props} />}
      {tab === 'polling' && <PollingTab {...props} />}
      {tab === 'events' && <EventsTab device={device} />}
      <ExplainDialog />
    </div>
  );
}

function DeviceHead({ device, tables, onActed }: DeviceTabProps & { readonly onActed: () => void }) {
  const identity = identify(tables);
  const facts: (readonly [string, preact.ComponentChildren])[] = [
    ['Address', <span class="mono">{`${device.ip}:${device.port}`}</span>],
    ['Vendor', vendorName(device.vendor, identity.vendor)],
    ['Model', identity.model],
    ['Version', identity.version],
    ['Serial', identity.serial],
    ['Uptime', identity.uptimeMs === undefined ? '' : showNumber(identity.uptimeMs, 'ms')],
    ['Location', identity.location],
    ['Contact', identity.contact],
    ['Calls itself', identity.ownName === device.name ? '' : identity.ownName],
  ];
  return (
    <div class="device-head">
      <div class="title-row">
        <h1>
          <DeviceText text={device.name} />
        </h1>
        <StateBadge state={device.state} />
        <span class="quiet why">
          <For since={device.since} /> · <DeviceText text={device.why} max={300} />
        </span>
        <DeviceActions device={device} onActed={onActed} />
      </div>
      {identity.description !== '' && (
        <p class="quiet">
          <DeviceText text={identity.description} max={200} />
        </p>
      )}
      <Facts
        facts={facts
          .filter(([, value]) => value !== '')
          .map(([label, value]) => [
            label,
            typeof value === 'string' ? <DeviceText key={label} text={value} /> : value,
          ])}
      />
      <p class="labels">
        {device.deviceGroups.map((group) => (
          <a key={group} class="tag" href={formatPlace(['devices'], { group })}>
            {group}
          </a>
        ))}
        {Object.entries(device.tags).map(([label, value]) => (
          <a key={label} class="tag" href={formatPlace(['devices'], { tag: `${label}=${value}` })}>
            <DeviceText text={`${label}=${value}`} max={60} />
          </a>
        ))}
        {device.origin.file !== '' && (
          <span class="quiet mono">
            {device.origin.file}:{device.origin.line}
          </span>
        )}
      </p>
    </div>
  );
}

async function loadRecords(device: string, signal: AbortSignal): Promise<RecordTable[]> {
  const records: DeviceRecord[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { body } = await api.call('getRecordsByName', {
      path: { device },
      query: { limit: pageRows, ...(cursor === undefined ? {} : { cursor }) },
      signal,
    });
    records.push(...body.records);
    cursor = body.next;
    if (cursor === undefined) break;
  }
  return joinRecords(records);
}

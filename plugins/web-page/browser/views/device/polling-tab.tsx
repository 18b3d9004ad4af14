import type { DeviceDetails, DevicePolling, DevicePollingCounters } from '../../../../../src/client/index.ts';
import { countOf } from '../../parts/count-text.ts';
import { shortGap } from '../../parts/gap-words.ts';
import { showNumber } from '../../parts/number-text.ts';
import { type Fact, Facts, Panel, Quiet, Trouble } from '../../parts/panel.tsx';
import { Ago, Clock, DeviceText } from '../../parts/texts.tsx';
import { api } from '../../state/api.ts';
import { usePolled } from '../../state/polled.ts';
import type { DeviceTabProps } from './device-rows.ts';
import { LearnedPanel } from './learned-panel.tsx';
import { describeSetting } from './setting-text.ts';

/** How the device is polled, what was learned about it, and where its settings come from. */
export function PollingTab({ device }: DeviceTabProps) {
  const polling = usePolled(
    `polling ${device.name}`,
    5_000,
    async (signal) =>
      (await api.call('getDevicePollingByName', { path: { device: device.name }, signal })).body,
  );
  return (
    <div class="halves">
      <div>
        <Panel title="Polls">
          <Trouble problem={polling.problem} />
          {polling.value?.counters === undefined ? (
            <Quiet>Not polled yet.</Quiet>
          ) : (
            <Facts facts={pollFacts(polling.value.counters, polling.value.next)} />
          )}
        </Panel>
        <LearnedPanel learned={device.learned} />
      </div>
      <div>
        <Panel title="Discovery">
          {device.inventory === undefined && <Quiet>Not discovered yet.</Quiet>}
          <Facts facts={[...inventoryFacts(device.inventory), ...discoveryFacts(device)]} />
        </Panel>
        <Panel title="Settings">
          <SettingsTable settings={device.settings} />
        </Panel>
      </div>
    </div>
  );
}

function pollFacts(counters: DevicePollingCounters, next: DevicePolling['next']): Fact[] {
  const gaps = Object.entries(counters.gaps).map(
    ([reason, count]) => `${shortGap(reason)} ${showNumber(count)}`,
  );
  const facts: Fact[] = [
    ['Polls', `${showNumber(counters.polls)}, of which ${counters.failedPolls} failed`],
    ['Last poll', counters.lastPollAt === undefined ? 'never' : <Ago at={counters.lastPollAt} />],
    ['Took', `${showNumber(counters.lastDurationMs, 'ms')}, ${showNumber(counters.lastLateMs, 'ms')} late`],
    ['Round trip', showNumber(counters.roundTripMs, 'ms')],
    ['Packets', `${showNumber(counters.packets)}, and ${countOf(counters.retries, 'repeated request')}`],
    ['Overruns', `${counters.overruns}`],
    ['Missing values', gaps.join(', ') || 'none'],
    [
      'Next',
      next.map(({ plan, inMs }) => (
        <div key={plan}>
          <span class="mono">{plan}</span>{' '}
          {inMs < 500 ? 'now' : `in ${showNumber(Math.round(inMs / 1000), 's')}`}
        </div>
      )),
    ],
  ];
  const failure = counters.lastFailure;
  if (failure !== undefined) {
    facts.push([
      'Last failure',
      <>
        {failure.code} <Ago at={failure.at} />
      </>,
    ]);
  }
  return facts;
}

function inventoryFacts(inventory: DeviceDetails['inventory']): Fact[] {
  if (inventory === undefined) return [];
  const facts: Fact[] = [
    [
      'Inventory',
      `version ${inventory.version}: ${inventory.objects} objects, ${inventory.instances} instances`,
    ],
    ['Discovered', <Ago at={inventory.discoveredAt} />],
    ['sysObjectID', <span class="mono">{inventory.sysObjectId ?? '–'}</span>],
  ];
  if (inventory.cut !== undefined) facts.push(['Cut', inventory.cut.text]);
  return facts;
}

function discoveryFacts({ lastDiscovery, lastError }: DeviceDetails): Fact[] {
  const facts: Fact[] = [];
  if (lastDiscovery !== undefined) {
    const { cause, outcome, state } = lastDiscovery;
    facts.push(['Last one', `${cause}: ${outcome?.ok === false ? (outcome.message ?? 'failed') : state}`]);
  }
  if (lastError !== undefined) {
    facts.push([
      'Last error',
      <>
        <Clock at={lastError.at} /> <DeviceText text={lastError.message} max={300} />
      </>,
    ]);
  }
  return facts;
}

function SettingsTable({ settings }: { readonly settings: DeviceDetails['settings'] }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>Setting</th>
          <th>Value</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(settings).map(([name, { value, origin }]) => (
          <tr key={name}>
            <td class="mono">{name}</td>
            <td>
              <DeviceText text={describeSetting(name, value)} />
            </td>
            <td class="quiet">{origin}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

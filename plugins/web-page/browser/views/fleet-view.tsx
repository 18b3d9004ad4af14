import type { DeviceStateCounts } from '../../../../src/client/index.ts';
import { ratesOf, recentRate } from '../parts/counter-rates.ts';
import { explainGap, isTroublesome, shortGap } from '../parts/gap-words.ts';
import { showNumber } from '../parts/number-text.ts';
import { Panel, Quiet, Trouble } from '../parts/panel.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText, Num } from '../parts/texts.tsx';
import { Tile } from '../parts/tile.tsx';
import { api } from '../state/api.ts';
import { type FleetReading, fleetReadings } from '../state/fleet.ts';
import { usePolled } from '../state/polled.ts';
import { formatPlace } from '../state/route-text.ts';
import { toneOf } from '../state/state-tones.ts';
import { OutputsTable } from './outputs-table.tsx';
import { Problems } from './problems.tsx';
import { RecentChanges } from './recent-changes.tsx';

const minuteMs = 60_000;

/** The state of everything: problems first. */
export function FleetView() {
  const readings = fleetReadings.value;
  const latest = readings.at(-1);
  if (latest === undefined) return <Quiet>Loading …</Quiet>;
  const { collector } = latest;
  return (
    <div class="view">
      <h1>Fleet</h1>
      <States counts={latest.states} />
      <div class="tiles">
        <CounterTile title="Values per second" readings={readings} count={({ polling }) => polling.values} />
        <CounterTile
          title="Packets per second"
          readings={readings}
          count={({ polling }) => polling.packets}
        />
        <Tile title="Late by" hint="How late polls begin: the median, and what 99 of 100 polls stay below">
          <Num value={latest.polling.lateness.p50Ms} unit="ms" />
          <small>p99 {showNumber(latest.polling.lateness.p99Ms, 'ms')}</small>
        </Tile>
        <Tile title="Poll takes" hint="From the first request of a poll to its last reply">
          <Num value={latest.polling.duration.p50Ms} unit="ms" />
          <small>p99 {showNumber(latest.polling.duration.p99Ms, 'ms')}</small>
        </Tile>
        <Tile title="Running for" hint="Since the start of the collector, and the definitions that it uses">
          <Num value={collector.uptimeSeconds} unit="s" />
          <small>
            <a href="#/definitions">generation {collector.generation}</a>
          </small>
        </Tile>
      </div>
      <div class="halves">
        <div>
          <Problems unknown={latest.states.unknown} />
          <Gaps readings={readings} />
          <Slowest />
        </div>
        <div>
          <RecentChanges />
          <Panel title="Outputs" aside={<a href="#/plugins">all plugins</a>}>
            <OutputsTable outputs={collector.pipeline.outputs} />
          </Panel>
        </div>
      </div>
    </div>
  );
}

const states = ['down', 'suspect', 'recovering', 'unknown', 'up'] as const;

/** A bar with the shares of the states, and links to their devices. */
function States({ counts }: { readonly counts: DeviceStateCounts }) {
  const total = states.reduce((sum, state) => sum + counts[state], 0);
  return (
    <div class="states">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {states.map((state, i) => {
          const before = states.slice(0, i).reduce((sum, each) => sum + counts[each], 0);
          return (
            <rect
              key={state}
              class={`tone-${toneOf(state)}`}
              x={(before / Math.max(1, total)) * 1000}
              width={(counts[state] / Math.max(1, total)) * 1000}
              y={0}
              height={10}
            />
          );
        })}
      </svg>
      <ul>
        <li>
          <a href="#/devices">
            <strong>{total.toLocaleString('en')}</strong> {total === 1 ? 'device' : 'devices'}
          </a>
        </li>
        {states.map((state) => (
          <li key={state} class={counts[state] === 0 ? 'none' : undefined}>
            <a href={formatPlace(['devices'], { state })}>
              <strong>{counts[state].toLocaleString('en')}</strong> <StateBadge state={state} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A rate over the last half minute, and its line since the page was opened. */
function CounterTile({
  title,
  readings,
  count,
}: {
  readonly title: string;
  readonly readings: readonly FleetReading[];
  readonly count: (reading: FleetReading) => number;
}) {
  const counted = readings.map((reading) => ({ atMs: reading.atMs, count: count(reading) }));
  const rate = recentRate(counted, minuteMs / 2);
  return (
    <Tile title={title} hint="Over the last half minute">
      {rate === undefined ? <span class="quiet">counting …</span> : <Num value={Math.round(rate)} />}
      {counted.length > 2 && (
        <Sparkline values={ratesOf(counted)} label={`${title} since you opened the page`} />
      )}
    </Tile>
  );
}

/** Missing values by reason. */
function Gaps({ readings }: { readonly readings: readonly FleetReading[] }) {
  const total = readings.at(-1)?.polling.gaps ?? {};
  const rows = Object.entries(total)
    .map(([reason, sum]) => ({
      reason,
      sum,
      rate: recentRate(
        readings.map(({ atMs, polling }) => ({ atMs, count: polling.gaps[reason] ?? 0 })),
        minuteMs,
      ),
    }))
    .sort((a, b) => Number(isTroublesome(b.reason)) - Number(isTroublesome(a.reason)) || b.sum - a.sum);
  return (
    <Panel title="Missing values">
      {rows.length === 0 && <Quiet>None since the start.</Quiet>}
      {rows.length > 0 && (
        <table class="plain">
          <thead>
            <tr>
              <th>Reason</th>
              <th class="right">per minute</th>
              <th class="right">since the start</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ reason, sum, rate }) => (
              <tr key={reason} class={isTroublesome(reason) ? undefined : 'harmless'}>
                <td>
                  {shortGap(reason)}
                  <small class="quiet">{explainGap(reason)}</small>
                </td>
                <td class="right">
                  {rate === undefined ? '…' : <Num value={Math.min(sum, Math.round(rate * 60))} />}
                </td>
                <td class="right">
                  <Num value={sum} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Slowest() {
  const listed = usePolled(
    'slowest',
    10_000,
    async (signal) => (await api.call('listSlowest', { query: { limit: 6 }, signal })).body.devices,
  );
  return (
    <Panel title="Slowest devices">
      <Trouble problem={listed.problem} />
      <table class="plain">
        <thead>
          <tr>
            <th>Device</th>
            <th class="right">poll took</th>
            <th class="right">round trip</th>
            <th class="right">repeated</th>
          </tr>
        </thead>
        <tbody>
          {listed.value?.map(({ device, slowestPlanMs, roundTripMs, retries }) => (
            <tr key={`${device.ip} ${device.port}`}>
              <td>
                <a href={formatPlace(['device', device.name], { tab: 'polling' })}>
                  <DeviceText text={device.name} max={40} />
                </a>
              </td>
              <td class="right">
                <Num value={slowestPlanMs} unit="ms" />
              </td>
              <td class="right">
                <Num value={roundTripMs} unit="ms" />
              </td>
              <td class="right">
                <Num value={retries} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

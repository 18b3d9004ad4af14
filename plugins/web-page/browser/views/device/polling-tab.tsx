import { countOf } from '../../parts/count-text.ts';
import { shortGap } from '../../parts/gap-words.ts';
import { showNumber } from '../../parts/number-text.ts';
import { Facts, Panel, Quiet, Trouble } from '../../parts/panel.tsx';
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
  const counters = polling.value?.counters;
  const { learned, lastError, lastDiscovery, inventory } = device;
  return (
    <div class="halves">
      <div>
        <Panel title="Polls">
          <Trouble problem={polling.problem} />
          {counters === undefined && <Quiet>Not polled yet.</Quiet>}
          {counters !== undefined && (
            <Facts
              facts={[
                ['Polls', `${showNumber(counters.polls)}, of which ${counters.failedPolls} failed`],
                ['Last poll', counters.lastPollAt === undefined ? 'never' : <Ago at={counters.lastPollAt} />],
                [
                  'Took',
                  `${showNumber(counters.lastDurationMs, 'ms')}, ${showNumber(counters.lastLateMs, 'ms')} late`,
                ],
                ['Round trip', showNumber(counters.roundTripMs, 'ms')],
                [
                  'Packets',
                  `${showNumber(counters.packets)}, and ${countOf(counters.retries, 'repeated request')}`,
                ],
                ['Overruns', `${counters.overruns}`],
                [
                  'Missing values',
                  Object.entries(counters.gaps)
                    .map(([reason, count]) => `${shortGap(reason)} ${showNumber(count)}`)
                    .join(', ') || 'none',
                ],
                [
                  'Next',
                  polling.value!.next.map(({ plan, inMs }) => (
                    <div key={plan}>
                      <span class="mono">{plan}</span>{' '}
                      {inMs < 500 ? 'now' : `in ${showNumber(Math.round(inMs / 1000), 's')}`}
                    </div>
                  )),
                ],
                ...(counters.lastFailure === undefined
                  ? []
                  : [
                      [
                        'Last failure',
                        <>
                          {counters.lastFailure.code} <Ago at={counters.lastFailure.at} />
                        </>,
                      ] as const,
                    ]),
              ]}
            />
          )}
        </Panel>
        <LearnedPanel learned={learned} />
      </div>
      <div>
        <Panel title="Discovery">
          {inventory === undefined && <Quiet>Not discovered yet.</Quiet>}
          <Facts
            facts={[
              ...(inventory === undefined
                ? []
                : ([
                    [
                      'Inventory',
                      `version ${inventory.version}: ${inventory.objects} objects, ${inventory.instances} instances`,
                    ],
                    ['Discovered', <Ago at={inventory.discoveredAt} />],
                    ['sysObjectID', <span class="mono">{inventory.sysObjectId ?? '–'}</span>],
                    ...(inventory.cut === undefined ? [] : [['Cut', inventory.cut.text] as const]),
                  ] as const)),
              ...(lastDiscovery === undefined
                ? []
                : [
                    [
                      'Last one',
                      `${lastDiscovery.cause}: ${lastDiscovery.outcome?.ok === false ? (lastDiscovery.outcome.message ?? 'failed') : lastDiscovery.state}`,
                    ] as const,
                  ]),
              ...(lastError === undefined
                ? []
                : [
                    [
                      'Last error',
                      <>
                        <Clock at={lastError.at} /> <DeviceText text={lastError.message} max={300} />
                      </>,
                    ] as const,
                  ]),
            ]}
          />
        </Panel>
        <Panel title="Settings">
          <table class="plain">
            <thead>
              <tr>
                <th>Setting</th>
                <th>Value</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(device.settings).map(([name, { value, origin }]) => (
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
        </Panel>
      </div>
    </div>
  );
}

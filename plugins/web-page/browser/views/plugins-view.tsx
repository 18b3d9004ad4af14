import { useSignal } from '@preact/signals';
import type { HistoryState, Plugin } from '../../../../src/client/index.ts';
import { showNumber } from '../parts/number-text.ts';
import { Facts, Panel, Quiet, Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Ago, DeviceText, Num } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { collector, runs } from '../state/fleet.ts';
import { usePolled } from '../state/polled.ts';
import { OutputsTable } from './outputs-table.tsx';

/** Outputs with their queues, and all plugins in the order in which they started. */
export function PluginsView() {
  const current = collector.value;
  if (current === undefined) return <Quiet>Loading …</Quiet>;
  const { plugins, pipeline } = current;
  return (
    <div class="view">
      <h1>Outputs and plugins</h1>
      <div class="grid">
        <Panel title="Outputs">
          <OutputsTable outputs={pipeline.outputs} />
          <p class="quiet">
            {showNumber(pipeline.pushed)} batches came in, {showNumber(pipeline.filtered)} were filtered.
          </p>
        </Panel>
        {runs('history') && <History />}
      </div>
      <Panel title="Plugins, in the order in which they started" isWide>
        <table class="plain">
          <thead>
            <tr>
              <th class="right optional">#</th>
              <th>Plugin</th>
              <th class="optional">Kind</th>
              <th>State</th>
              <th class="right optional">started in</th>
              <th class="optional">Needs</th>
              <th>Options</th>
            </tr>
          </thead>
          <tbody>
            {plugins.map((plugin, i) => (
              <PluginRow key={plugin.name} plugin={plugin} number={i + 1} />
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}

function PluginRow({ plugin, number }: { readonly plugin: Plugin; readonly number: number }) {
  const options = Object.entries(plugin.options);
  const isOpen = useSignal(false);
  return (
    <>
      <tr>
        <td class="right quiet optional">{number}</td>
        <td class="nowrap">
          {plugin.name} {plugin.name !== plugin.plugin && <span class="quiet">{plugin.plugin}</span>}
        </td>
        <td class="optional">{plugin.kind}</td>
        <td>
          <StateBadge state={plugin.state} />
          {plugin.listenerFailures > 0 && <span class="bad-text"> {plugin.listenerFailures} failures</span>}
        </td>
        <td class="right optional">
          <Num value={plugin.startMs} unit="ms" />
        </td>
        <td class="optional quiet">{plugin.needs.join(', ')}</td>
        <td class="nowrap">
          {options.length === 0 ? (
            <span class="quiet">none</span>
          ) : (
            <button
              type="button"
              class="plain"
              aria-expanded={isOpen.value}
              aria-label={`${options.length} options of ${plugin.name}`}
              onClick={() => {
                isOpen.value = !isOpen.value;
              }}
            >
              {isOpen.value ? '▾' : '▸'} {options.length}
            </button>
          )}
        </td>
      </tr>
      {isOpen.value && (
        <tr class="opened">
          <td colSpan={7}>
            <dl class="options">
              {options.map(([name, value]) => (
                <div key={name}>
                  <dt class="mono">{name}</dt>
                  <dd>
                    <span class="mono">
                      <DeviceText
                        text={typeof value === 'string' ? value : JSON.stringify(value)}
                        max={300}
                      />
                    </span>{' '}
                    <span class="quiet">{describeOrigin(plugin.origins[name])}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}

function describeOrigin(origin: string | undefined): string {
  if (origin === undefined || origin === 'default') return origin ?? '';
  return origin === 'configuration' ? 'from the configuration' : `from ${origin}`;
}

function History() {
  const state = usePolled(
    'history state',
    15_000,
    async (signal) => (await api.call('getHistoryState', { signal })).body,
  );
  return (
    <Panel title="History on the disk">
      <Trouble problem={state.problem} />
      {state.value !== undefined && <Tiers state={state.value} />}
    </Panel>
  );
}

function Tiers({ state }: { readonly state: HistoryState }) {
  return (
    <>
      <table class="plain">
        <thead>
          <tr>
            <th>Tier</th>
            <th>Reaches back to</th>
            <th class="right">uses</th>
            <th class="right">of</th>
          </tr>
        </thead>
        <tbody>
          {state.tiers.map(({ tier, from, bytes, maxBytes }) => (
            <tr key={tier}>
              <td>{tier.replace('_', ' ')}</td>
              <td>{from === undefined ? <span class="quiet">nothing yet</span> : <Ago at={from} />}</td>
              <td class="right">
                <Num value={bytes} unit="B" />
              </td>
              <td class="right">
                <Num value={maxBytes} unit="B" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Facts
        facts={[
          ['Values since the start', <Num key="values" value={state.values} />],
          ['Batches lost', `${state.lostBatches}`],
          ['Files dropped on a full disk', `${state.droppedFiles}`],
          ['Damaged files', state.damagedFiles.join(', ') || 'none'],
          ['Files of a newer version', state.newerFiles.join(', ') || 'none'],
        ]}
      />
    </>
  );
}

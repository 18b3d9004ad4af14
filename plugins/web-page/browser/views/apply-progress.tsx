import type { ApplyResult } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';
import { Panel } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { usePolled } from '../state/polled.ts';
import { formatPlace } from '../state/route-text.ts';
import { ProblemList } from './problem-list.tsx';
import { summarizeChanges } from './summarize-changes.ts';

const maxWatched = 1000;
const shownDiscoveries = 50;

/** What an apply did, and its discoveries until they have ended. */
export function ApplyProgress({ result }: { readonly result: ApplyResult }) {
  const { generation, changed, changes, affectedDevices, rediscovering, warnings } = result;
  return (
    <Panel
      title={
        changed
          ? `Applied: generation ${generation} runs`
          : 'Nothing to apply: the files are the same as what runs'
      }
      isWide
    >
      {changed && (
        <p>
          {summarizeChanges(changes)}. {countOf(affectedDevices.length, 'device')} affected.
        </p>
      )}
      {warnings.length > 0 && <ProblemList problems={warnings} />}
      {rediscovering.length > 0 && (
        <Discoveries of={new Set(rediscovering.map(({ ip, port }) => `${ip} ${port}`))} />
      )}
    </Panel>
  );
}

function Discoveries({ of }: { readonly of: ReadonlySet<string> }) {
  const listed = usePolled(
    'apply discoveries',
    1_000,
    async (signal) =>
      (await api.call('listDiscoveries', { query: { limit: maxWatched }, signal })).body.discoveries,
  );
  const latest = new Map(
    (listed.value ?? []).toReversed().map((each) => [`${each.device.ip} ${each.device.port}`, each]),
  );
  const watched = [...latest].filter(([key]) => of.has(key)).map(([, discovery]) => discovery);
  const ended = watched.filter(({ state }) => state === 'completed' || state === 'failed');
  const order = ['failed', 'running', 'waiting', 'completed'];
  watched.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <>
      <p>
        <progress max={of.size} value={ended.length} /> {ended.length} of {of.size} devices rediscovered
      </p>
      <ul class="lines">
        {watched.slice(0, shownDiscoveries).map(({ id, device, state, progress, outcome }) => (
          <li key={id}>
            <StateBadge state={state} />
            <a href={formatPlace(['device', device.name])}>
              <DeviceText text={device.name} max={40} />
            </a>
            <span class="quiet">
              {outcome?.message ??
                `${progress.objects} of ${progress.total} objects, ${progress.instances} instances`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

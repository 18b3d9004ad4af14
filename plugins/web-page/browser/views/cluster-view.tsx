import type { Cluster } from '../../../../src/client/index.ts';
import { LinePanel } from '../parts/line-panel.tsx';
import { showNumber } from '../parts/number-text.ts';
import { Facts, Panel, Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Ago, DeviceText, Num } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { runs } from '../state/fleet.ts';
import { usePolled } from '../state/polled.ts';
import { events } from '../state/recent-events.ts';
import { EventSentence } from './event-sentence.tsx';
import { joinMoves } from './join-moves.ts';

const shownEvents = 20;

/** The collectors that share the devices. */
export function ClusterView() {
  const loaded = usePolled(
    'cluster',
    3_000,
    async (signal) => (await api.call('getCluster', { signal })).body,
  );
  const cluster = loaded.value;
  return (
    <div class="view">
      <h1>{isLocal() ? 'Workers' : 'Cluster'}</h1>
      <Trouble problem={loaded.problem} />
      {cluster !== undefined && (
        <>
          <Trouble
            problem={
              cluster.degraded === undefined
                ? undefined
                : `This member cannot be sure of its shards: ${cluster.degraded}.`
            }
          />
          <Facts
            facts={[
              ['Shards', <Num key="shards" value={cluster.shards} />],
              [
                'Shards without an owner',
                cluster.unownedShards === 0 ? (
                  'none'
                ) : (
                  <span class="bad-text">{cluster.unownedShards}: nobody polls their devices</span>
                ),
              ],
              [
                'Lease renewed',
                cluster.leaseAgeSeconds === undefined
                  ? '–'
                  : `${showNumber(cluster.leaseAgeSeconds, 's')} ago`,
              ],
            ]}
          />
          <Members members={cluster.members} />
          <Happened />
        </>
      )}
    </div>
  );
}

/** Workers answer only their parent. */
function isLocal(): boolean {
  return runs('workers');
}

function Members({ members }: { readonly members: Cluster['members'] }) {
  const total = members.reduce((sum, { devices }) => sum + devices, 0);
  return (
    <Panel title="Members" isWide>
      <table class="plain">
        <thead>
          <tr>
            <th>Member</th>
            <th class="optional">Address</th>
            <th class="optional">Version</th>
            <th class="right optional">weight</th>
            <th class="right">shards</th>
            <th class="right">devices</th>
            <th class="optional">of all</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.name} member={member} total={total} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function MemberRow({
  member: { name, address = '', version, weight, shards, devices, isSelf },
  total,
}: {
  readonly member: Cluster['members'][number];
  readonly total: number;
}) {
  const shownAddress = <DeviceText text={address} max={80} />;
  return (
    <tr>
      <td>
        <DeviceText text={name} max={60} /> {isSelf && <StateBadge state="this one" />}
      </td>
      <td class="mono optional">
        {/^https?:\/\//.test(address) && !isSelf && !isLocal() ? (
          <a href={address} title={`The page of ${name}`}>
            {shownAddress}
          </a>
        ) : (
          shownAddress
        )}
      </td>
      <td class="optional">{version}</td>
      <td class="right optional">
        <Num value={weight} />
      </td>
      <td class="right">
        <Num value={shards} />
      </td>
      <td class="right">
        <Num value={devices} />
      </td>
      <td class="optional">
        <Share part={devices} whole={total} />
      </td>
    </tr>
  );
}

function Share({ part, whole }: { readonly part: number; readonly whole: number }) {
  const share = whole === 0 ? 0 : part / whole;
  return (
    <span class="used">
      <meter min={0} max={1} value={share} aria-label="Share of the devices" />
      <span class="num quiet">{Math.round(share * 100)} %</span>
    </span>
  );
}

/** Members that came and went, and the shards that moved with them. */
function Happened() {
  const own = events.value.filter(({ event: { name } }) => /^(cluster|member|shard)\./.test(name));
  return (
    <LinePanel
      title="What happened"
      aside={<a href="#/events?kind=cluster">all events</a>}
      isWide
      empty="Nothing that the collector still remembers."
      lines={joinMoves(own)
        .slice(0, shownEvents)
        .map(({ event, at }) => ({
          key: event.id,
          text: <EventSentence event={event} />,
          end: <Ago at={at} />,
        }))}
    />
  );
}

import { showNumber } from '../parts/number-text.ts';
import { Facts, Panel, Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText, Num } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { usePolled } from '../state/polled.ts';

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
      <h1>Cluster</h1>
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
              ['Shards', `${cluster.shards}`],
              ['Shards that nobody asks', `${cluster.unownedShards}`],
              [
                'Lease renewed',
                cluster.leaseAgeSeconds === undefined
                  ? '–'
                  : `${showNumber(cluster.leaseAgeSeconds, 's')} ago`,
              ],
            ]}
          />
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
                </tr>
              </thead>
              <tbody>
                {cluster.members.map(({ name, address = '', version, weight, shards, devices, isSelf }) => (
                  <tr key={name}>
                    <td>
                      <DeviceText text={name} max={60} /> {isSelf && <StateBadge state="this one" />}
                    </td>
                    <td class="mono optional">
                      <DeviceText text={address} max={80} />
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
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        </>
      )}
    </div>
  );
}

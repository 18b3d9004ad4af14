import { setImmediate } from 'node:timers/promises';
import { labelledMetric, listOf, type Metric, oneMetric } from '../../../src/http/index.ts';
import { access, type Pipeline, Type } from '../../../src/index.ts';
import { shardCount, shardOf } from '../../../src/sharding/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';

const memberSchema = Type.Object(
  {
    name: Type.String(),
    address: Type.Optional(Type.String({ description: 'the URL of its HTTP API for other members' })),
    version: Type.String(),
    weight: Type.Number(),
    shards: Type.Integer({ description: 'shards that it owns' }),
    devices: Type.Integer({ description: 'devices of these shards' }),
    isSelf: Type.Boolean({ description: 'whether it is the member that answers' }),
  },
  { title: 'ClusterMember' },
);

const schema = {
  operationId: 'getCluster',
  tags: ['collector'],
  summary: 'The members of the cluster, and how sure this one is of its shards',
  response: {
    200: Type.Object(
      {
        isClustered: Type.Boolean({ description: 'false for a collector that is alone' }),
        shards: Type.Integer({ description: 'how many shards there are' }),
        unownedShards: Type.Integer({ description: 'shards whose devices nobody asks at this moment' }),
        leaseAgeSeconds: Type.Optional(
          Type.Number({ description: "since the last acknowledged renewal of this member's lease" }),
        ),
        degraded: Type.Optional(Type.String({ description: 'why this member cannot be sure of its shards' })),
        members: listOf(memberSchema),
      },
      { title: 'Cluster' },
    ),
  },
};

const devicesPerTurn = 2000;

/** `GET /api/v1/cluster`. */
export function clusterState({ shards: { fleet }, devices }: ApiContext): RoutePlugin {
  return async (app) => {
    app.get('/api/v1/cluster', { config: access('read'), schema }, async () => {
      if (fleet === undefined)
        return { isClustered: false, shards: shardCount, unownedShards: 0, members: [] };
      const devicesOf = new Uint32Array(shardCount);
      let counted = 0;
      for (const { ref } of devices.devices()) {
        devicesOf[shardOf(ref)]!++;
        if (++counted % devicesPerTurn === 0) await setImmediate();
      }
      const { unownedShards, leaseAgeMs, degraded } = fleet.status();
      const claims = [...fleet.claims];
      const members = [...fleet.members.values()]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, address, version, weight }) => {
          const own = claims.filter(([, { member }]) => member === name).map(([shard]) => shard);
          return {
            name,
            ...(address === undefined ? {} : { address }),
            version,
            weight,
            shards: own.length,
            devices: own.reduce((sum, shard) => sum + devicesOf[shard]!, 0),
            isSelf: name === fleet.name,
          };
        });
      return {
        isClustered: true,
        shards: shardCount,
        unownedShards,
        ...(leaseAgeMs === undefined ? {} : { leaseAgeSeconds: Math.round(leaseAgeMs) / 1000 }),
        ...(degraded === undefined ? {} : { degraded }),
        members,
      };
    });
  };
}

/** Nothing for a collector that is alone. */
export function listClusterMetrics(
  { fleet }: ApiContext['shards'],
  { counters: { outputs } }: Pick<Pipeline, 'counters'>,
): Metric[] {
  if (fleet === undefined) return [];
  const fenced = Object.entries(outputs).map(
    ([output, { droppedBy }]) => [output, droppedBy.fenced] as const,
  );
  const { ownedShards, unownedShards, leaseAgeMs, moves, degraded } = fleet.status();
  const gauge = (name: string, help: string, value: number) =>
    oneMetric('gauge', `waywiser_cluster_${name}`, help, value);
  return [
    gauge('owned_shards', 'Shards whose devices this member asks.', ownedShards),
    gauge('unowned_shards', 'Shards whose devices nobody asks.', unownedShards),
    gauge('members', 'Living members of the cluster.', fleet.members.size),
    gauge('degraded', 'Whether this member cannot be sure of its shards.', degraded === undefined ? 0 : 1),
    ...(leaseAgeMs === undefined
      ? []
      : [gauge('lease_age_seconds', 'Time since the lease was renewed.', leaseAgeMs / 1000)]),
    oneMetric('counter', 'waywiser_cluster_moves_total', 'Shards that this member gave to others.', moves),
    labelledMetric(
      'counter',
      'waywiser_cluster_fenced_batches_total',
      'Batches that an output dropped because another member had taken over their devices before they were read.',
      'output',
      fenced,
    ),
  ];
}

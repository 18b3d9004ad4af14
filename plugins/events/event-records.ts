import { changeKinds, type EventMap, type EventName } from '../../src/index.ts';

export type EventValue = string | number | boolean;

/** A row of a record. Its labels distinguish it from the other rows of the same event. */
export interface EventRow {
  readonly labels?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, EventValue | undefined>>;
}

/** Rows by the name of the record, without `waywiser::`. */
export type EventRecords = Readonly<Record<string, readonly EventRow[]>>;

const one = (record: string, values: EventRow['values']): EventRecords => ({ [record]: [{ values }] });

/** How each event becomes records. The names are public: tables, topics and queries depend on them. */
export const eventRecords: {
  readonly [Name in EventName]: (event: EventMap[Name]) => EventRecords;
} = {
  'definitions.changed': (event) => ({
    definitionsChanged: [
      {
        values: {
          generation: event.generation,
          previousGeneration: event.previousGeneration,
          affectedDevices: event.affectedDevices.length,
          forceRediscovery: event.forceRediscovery,
          requestedBy: event.requestedBy,
        },
      },
    ],
    definitionChange: changeKinds.flatMap((kind) =>
      (['added', 'changed', 'removed'] as const).flatMap((change) =>
        event.changes[kind][change].map((id) => ({ labels: { kind, id }, values: { change } })),
      ),
    ),
  }),
  'definitions.rejected': ({ problems, requestedBy }) => ({
    definitionsRejected: problems.map(({ level, file, line, column, rule, message }) => ({
      values: { level, file, line, column, rule, message, requestedBy },
    })),
  }),
  'device.added': ({ cause }) => one('deviceAdded', { cause }),
  'device.changed': ({ cause }) => one('deviceChanged', { cause }),
  'device.removed': ({ cause }) => one('deviceRemoved', { cause }),
  'device.state': ({ from, to, why }) => one('deviceState', { from, to, why }),
  'device.renumbered': ({ record, moved }) => ({
    deviceRenumbered: moved.map(({ key, from, to }) => ({
      labels: { record, row: key },
      values: { from, to },
    })),
  }),
  'device.misordered': ({ table }) => one('deviceMisordered', { table }),
  'discovery.started': ({ id, cause }) => one('discoveryStarted', { id, cause }),
  'discovery.progressed': ({ id, cause, objects, total, instances }) =>
    one('discoveryProgressed', { id, cause, objects, total, instances }),
  'discovery.completed': ({ id, cause, durationMs, inventory }) => {
    const { objects, instances, added, removed, partial = {} } = inventory;
    const changed = [...new Set([...Object.keys(added), ...Object.keys(removed)])].sort();
    return {
      ...one('discoveryCompleted', {
        id,
        cause,
        durationMs,
        objects,
        instances,
        changedObjects: changed.length,
      }),
      inventoryPartial: Object.entries(partial).map(([object, reason]) => ({
        labels: { object },
        values: { id, reason },
      })),
      inventoryChange: changed.map((object) => ({
        labels: { object },
        values: { id, added: added[object] ?? 0, removed: removed[object] ?? 0 },
      })),
    };
  },
  'discovery.failed': ({ id, cause, code, message, durationMs }) =>
    one('discoveryFailed', { id, cause, code, message, durationMs }),
  'scan.started': ({ id, cause, networks, addresses }) =>
    one('scanStarted', { id, cause, networks: networks.length, addresses }),
  'scan.progressed': (event) => one('scanProgressed', scanValues(event)),
  'scan.completed': (event) => one('scanCompleted', { ...scanValues(event), durationMs: event.durationMs }),
  'scan.failed': ({ code, message, durationMs, ...event }) =>
    one('scanFailed', { ...scanValues(event), code, message, durationMs }),
  'poll.completed': (event) => one('pollCompleted', { ...pollValues(event), values: event.values }),
  'poll.failed': (event) => one('pollFailed', { ...pollValues(event), reason: event.reason }),
  'output.stalled': ({ output, queuedBatches, why }) => one('outputStalled', { output, queuedBatches, why }),
  'output.recovered': ({ output, queuedBatches }) => one('outputRecovered', { output, queuedBatches }),
  'output.dropped': ({ output, batches, values, why }) =>
    one('outputDropped', { output, batches, values, why }),
  'trap.received': ({ device: _, ...values }) => one('trapReceived', values),
  'trap.dropped': (event) => one('trapDropped', event),
  'shard.gained': ({ shards }) => one('shardGained', { shards }),
  'shard.lost': ({ shards, why }) => one('shardLost', { shards, why }),
  'member.joined': ({ member }) => one('memberJoined', { member }),
  'member.left': ({ member }) => one('memberLeft', { member }),
  'worker.started': (event) => one('workerStarted', event),
  'worker.ended': (event) => one('workerEnded', event),
  'cluster.degraded': ({ why, keepsPolling }) => one('clusterDegraded', { why, keepsPolling }),
  'cluster.recovered': () => one('clusterRecovered', { recovered: true }),
  'collector.ready': () => one('collectorReady', { ready: true }),
  'collector.stopping': ({ why }) => one('collectorStopping', { why }),
};

function scanValues({ networks, ...event }: EventMap['scan.progressed']) {
  return { ...event, networks: networks.length };
}

function pollValues({ plan, durationMs, packets, gaps }: EventMap['poll.completed' | 'poll.failed']) {
  const missing = Object.values(gaps).reduce((sum, count) => sum + count, 0);
  return { plan, durationMs, packets, missing };
}

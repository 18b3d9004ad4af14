import { fleetFacts, listOf } from '../../../src/http/index.ts';
import {
  access,
  type DeviceState,
  type Pipeline,
  type Static,
  type TSchema,
  Type,
} from '../../../src/index.ts';
import { hideUrlSecrets } from '../../../src/kernel/index.ts';
import { askWorkers } from '../../../src/sharding/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { problem } from '../problem/problem.ts';
import { joinWorkers } from './join-workers.ts';

/** For the probes of a supervisor. No limit and no credential applies to them. */
const probe = { ...access('public'), isProbe: true };

const outputSchema = Type.Object(
  {
    accepted: Type.Integer({ description: 'batches that were queued for the output' }),
    restored: Type.Integer({ description: 'batches that an earlier process left in its queue' }),
    delivered: Type.Integer(),
    dropped: Type.Integer(),
    droppedBy: Type.Record(Type.String(), Type.Integer(), { description: 'by reason' }),
    refusedValues: Type.Integer({
      description: 'values that the receiver rejected in batches that it accepted',
    }),
    queued: Type.Integer(),
    queuedBytes: Type.Integer({ description: 'on disk' }),
    oldestSeconds: Type.Number({ description: 'the age of the oldest queued batch' }),
    retries: Type.Integer(),
  },
  { title: 'OutputCounters' },
);

/** Counters of the pipeline, in batches. */
const pipelineSchema = Type.Object(
  {
    pushed: Type.Integer(),
    filtered: Type.Integer(),
    processorFailures: Type.Record(Type.String(), Type.Integer()),
    malformed: Type.Record(Type.String(), Type.Integer()),
    outputs: Type.Record(Type.String(), outputSchema),
  },
  { title: 'PipelineCounters' },
);

function describePipeline({ counters }: Pipeline, nowMs: number): Static<typeof pipelineSchema> {
  const { pushed, filtered, processorFailures, malformed, outputs } = counters;
  const described = Object.entries(outputs).map(([name, { oldestMs, droppedBy, ...output }]) => {
    const oldestSeconds = oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / 1000;
    return [name, { ...output, droppedBy: { ...droppedBy }, oldestSeconds }];
  });
  return {
    pushed,
    filtered,
    processorFailures: { ...processorFailures },
    malformed: { ...malformed },
    outputs: Object.fromEntries(described),
  };
}

/** The number of devices in each state. */
const stateCounts = {
  unknown: Type.Integer(),
  up: Type.Integer(),
  suspect: Type.Integer(),
  down: Type.Integer(),
  recovering: Type.Integer(),
} satisfies Record<DeviceState, TSchema>;

const collectorSchema = {
  operationId: 'getCollector',
  tags: ['collector'],
  summary: 'The collector: version, plugins, queues',
  response: {
    200: Type.Object(
      {
        instance: Type.String(),
        version: Type.String(),
        uptimeSeconds: Type.Number(),
        bootMs: Type.Number(),
        devices: Type.Integer(),
        devicesByState: Type.Object(stateCounts, { title: 'DeviceStateCounts' }),
        generation: Type.Integer(),
        plugins: listOf(
          Type.Object(
            {
              name: Type.String(),
              plugin: Type.String(),
              kind: Type.String(),
              state: Type.String(),
              needs: listOf(Type.String()),
              provides: Type.Optional(Type.String()),
              startMs: Type.Number(),
              listenerFailures: Type.Integer(),
              options: Type.Object({}, { additionalProperties: true, description: 'without secrets' }),
              origins: Type.Record(Type.String(), Type.String(), {
                description:
                  'where each option comes from: configuration, default, or the name of an environment variable',
              }),
            },
            { title: 'Plugin' },
          ),
        ),
        pipeline: pipelineSchema,
        ...fleetFacts,
      },
      { title: 'Collector' },
    ),
  },
};

const liveSchema = {
  operationId: 'isAlive',
  tags: ['collector'],
  summary: 'Whether the process responds',
  response: { 200: Type.Object({ status: Type.Literal('alive') }) },
};

const readySchema = {
  operationId: 'isReady',
  tags: ['collector'],
  summary: 'Whether the collector is ready',
  response: {
    200: Type.Object({
      status: Type.Literal('ready'),
      degraded: listOf(Type.String({ description: 'problems that do not stop the work' })),
    }),
  },
};

/** A worker answers within milliseconds, unless it is busy or suspended. */
const workerTimeoutMs = 4_000;

export function collectorState(context: ApiContext): RoutePlugin {
  const { collector, devices, pipeline, shards, events, stopping, now } = context;
  const startedMs = now();
  let isReady = false;
  events.on('collector.ready', () => {
    isReady = true;
  });
  return async (app) => {
    app.get('/livez', { config: probe, schema: liveSchema }, async () => ({
      status: 'alive' as const,
    }));
    app.get('/readyz', { config: probe, schema: readySchema }, async () => {
      if (stopping.aborted) throw problem('HTTP_NOT_READY', { reason: 'it is stopping' });
      if (!isReady) throw problem('HTTP_NOT_READY', { reason: 'it is starting' });
      const { notReady, degraded: unsure } = shards.fleet?.status() ?? {};
      if (notReady !== undefined) throw problem('HTTP_NOT_READY', { reason: notReady });
      const degraded = [...devices.listProblems()];
      if (unsure !== undefined)
        degraded.push(`This member of the cluster is not sure of its shards: ${unsure}.`);
      degraded.push(...(shards.listProblems?.() ?? []));
      return { status: 'ready' as const, degraded };
    });
    app.get('/api/v1/collector', { config: access('read'), schema: collectorSchema }, async () => {
      const { bootMs, plugins } = collector.describe();
      const own = {
        instance: collector.instance,
        version: collector.version,
        uptimeSeconds: Math.round((now() - startedMs) / 1000),
        bootMs,
        devices: devices.size,
        devicesByState: { ...devices.countStates() },
        generation: devices.generation,
        plugins: plugins.map(({ provides, options, ...plugin }) => ({
          ...plugin,
          options: showOptions(options),
          ...(provides === undefined ? {} : { provides }),
        })),
        pipeline: describePipeline(pipeline, now()),
      };
      if (shards.workers === undefined) return own;
      return joinWorkers(own, await askWorkers(shards, '/api/v1/collector', { timeoutMs: workerTimeoutMs }));
    });
  };
}

/** Keys whose values are hashes of credentials. */
const hiddenKeys: ReadonlySet<string> = new Set(['sha256', 'scrypt']);

/** The options of a plugin with `***` for secrets and hashes, and with URLs as anyone may see them. */
function showOptions(options: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(options ?? {}, (key, value: unknown) => {
    if (hiddenKeys.has(key)) return '***';
    return typeof value === 'string' ? hideUrlSecrets(value) : value;
  });
  return JSON.parse(text);
}

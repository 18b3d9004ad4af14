import { Type } from '../../../../src/index.ts';
import { access, type RoutePlugin } from '../../../http-routes/service.ts';
import { problem } from '../../problem/problem.ts';
import { listOf } from '../../schemas/list-of.ts';
import type { ApiContext } from '../api-context.ts';
import { showOptions } from './shown-options.ts';

const outputSchema = Type.Object({
  accepted: Type.Integer({ description: 'batches, as all that follows' }),
  restored: Type.Integer({ description: 'left in the queue by an earlier process' }),
  delivered: Type.Integer(),
  dropped: Type.Integer(),
  droppedBy: Type.Record(Type.String(), Type.Integer(), { description: 'dropped, by reason' }),
  queued: Type.Integer(),
  queuedBytes: Type.Integer({ description: 'what the queue takes on the disk; 0 in memory' }),
  oldestSeconds: Type.Number({ description: 'how long the oldest has waited' }),
  retries: Type.Integer(),
});

const collectorSchema = {
  operationId: 'getCollector',
  tags: ['collector'],
  summary: 'The collector: version, plugins, queues',
  response: {
    200: Type.Object({
      instance: Type.String(),
      version: Type.String(),
      uptimeSeconds: Type.Number(),
      bootMs: Type.Number(),
      devices: Type.Integer(),
      generation: Type.Integer(),
      plugins: listOf(
        Type.Object({
          name: Type.String(),
          plugin: Type.String(),
          kind: Type.String(),
          state: Type.String(),
          needs: listOf(Type.String()),
          provides: Type.Optional(Type.String()),
          startMs: Type.Number(),
          listenerFailures: Type.Integer(),
          options: Type.Object({}, { additionalProperties: true, description: 'without secrets' }),
        }),
      ),
      pipeline: Type.Object({
        pushed: Type.Integer({ description: 'batches' }),
        filtered: Type.Integer(),
        processorFailures: Type.Record(Type.String(), Type.Integer()),
        outputs: Type.Record(Type.String(), outputSchema),
      }),
    }),
  },
};

const liveSchema = {
  operationId: 'isAlive',
  tags: ['collector'],
  summary: 'Whether the process answers',
  response: { 200: Type.Object({ status: Type.Literal('alive') }) },
};

const readySchema = {
  operationId: 'isReady',
  tags: ['collector'],
  summary: 'Whether the collector does its work',
  response: {
    200: Type.Object({
      status: Type.Literal('ready'),
      degraded: listOf(Type.String({ description: 'what is not as it should be, though work goes on' })),
    }),
  },
};

export function collectorState(context: ApiContext): RoutePlugin {
  const { collector, definitions, registry, pipeline, events, stopping, now } = context;
  const startedMs = now();
  let isReady = false;
  events.on('collector.ready', () => {
    isReady = true;
  });
  return async (app) => {
    app.get('/livez', { config: access('public'), schema: liveSchema }, async () => ({
      status: 'alive' as const,
    }));
    app.get('/readyz', { config: access('public'), schema: readySchema }, async () => {
      if (stopping.aborted) throw problem('HTTP_NOT_READY', { reason: 'it is stopping' });
      if (!isReady) throw problem('HTTP_NOT_READY', { reason: 'it is starting' });
      const degraded =
        definitions.degraded === undefined
          ? []
          : ['The definition files have errors; the last good ones run.'];
      return { status: 'ready' as const, degraded };
    });
    app.get('/api/v1/collector', { config: access('read'), schema: collectorSchema }, async () => {
      const { bootMs, plugins } = collector.describe();
      const { pushed, filtered, processorFailures, outputs } = pipeline.counters;
      return {
        instance: collector.instance,
        version: collector.version,
        uptimeSeconds: Math.round((now() - startedMs) / 1000),
        bootMs,
        devices: registry.size,
        generation: definitions.current.number,
        plugins: plugins.map(({ provides, options, ...plugin }) => ({
          ...plugin,
          options: showOptions(options),
          ...(provides === undefined ? {} : { provides }),
        })),
        pipeline: {
          pushed,
          filtered,
          processorFailures,
          outputs: Object.fromEntries(
            Object.entries(outputs).map(([name, { droppedBy, oldestMs, ...counters }]) => [
              name,
              {
                ...counters,
                droppedBy: { ...droppedBy },
                oldestSeconds: oldestMs === undefined ? 0 : Math.max(0, now() - oldestMs) / 1000,
              },
            ]),
          ),
        },
      };
    });
  };
}

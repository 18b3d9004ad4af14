import { access, Type } from '../../../../src/index.ts';
import { listOf } from '../../../../src/internal.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import { problem } from '../../problem/problem.ts';
import { describePipeline, pipelineSchema } from '../../schemas/pipeline.ts';
import type { ApiContext } from '../api-context.ts';
import { showOptions } from './shown-options.ts';

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
            },
            { title: 'Plugin' },
          ),
        ),
        pipeline: pipelineSchema,
      },
      { title: 'Collector' },
    ),
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
        pipeline: describePipeline(pipeline, now()),
      };
    });
  };
}

import { deviceStates, Type } from '../../../../src/index.ts';
import { access, type RoutePlugin } from '../../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { type Metric, renderMetrics } from './metrics-text.ts';

const textType = 'text/plain; version=0.0.4; charset=utf-8';

const schema = {
  operationId: 'getOwnMetrics',
  tags: ['collector'],
  summary: 'How the collector itself does, for Prometheus; the values of devices are elsewhere',
  response: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: Type.String() } } } },
};

export function ownMetrics(context: ApiContext): RoutePlugin {
  return async (app) => {
    app.get('/metrics', { config: access('read'), schema }, async (_request, reply) =>
      reply.type(textType).send(renderMetrics(listMetrics(context))),
    );
  };
}

function listMetrics({ collector, definitions, registry, discovery, pipeline, now }: ApiContext): Metric[] {
  const one = (type: Metric['type'], name: string, help: string, value: number): Metric => ({
    name,
    help,
    type,
    samples: [{ value }],
  });
  const { user, system } = process.cpuUsage();
  const states = new Map<string, number>(deviceStates.map((state) => [state, 0]));
  for (const { status } of registry.devices()) states.set(status.state, (states.get(status.state) ?? 0) + 1);
  const open = discovery.runs.filter(({ outcome }) => outcome === undefined).length;
  const { pushed, filtered, outputs } = pipeline.counters;
  const ofOutputs = Object.entries(outputs);
  const ofOutput = (counter: 'accepted' | 'restored' | 'delivered' | 'queued' | 'queuedBytes') =>
    ofOutputs.map(([output, counters]) => ({ labels: { output }, value: counters[counter] }));
  const droppedBy = ofOutputs.flatMap(([output, counters]) =>
    Object.entries(counters.droppedBy).map(([reason, value]) => ({ labels: { output, reason }, value })),
  );
  const waiting = ofOutputs.map(([output, { oldestMs }]) => ({
    labels: { output },
    value: oldestMs === undefined ? 0 : Math.max(0, now() - oldestMs) / 1000,
  }));
  const failures = collector.describe().plugins.map(({ name: plugin, listenerFailures: value }) => ({
    labels: { plugin },
    value,
  }));
  const { version } = collector;
  return [
    {
      name: 'waywiser_info',
      help: 'The version that runs.',
      type: 'gauge',
      samples: [{ labels: { version }, value: 1 }],
    },
    one('counter', 'process_cpu_seconds_total', 'CPU time of the process.', (user + system) / 1e6),
    one('gauge', 'process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    one('gauge', 'waywiser_uptime_seconds', 'How long the process runs.', process.uptime()),
    one('gauge', 'waywiser_definitions_generation', 'The definitions that run.', definitions.current.number),
    one(
      'gauge',
      'waywiser_definitions_degraded',
      '1: the files have errors, the last good ones run.',
      definitions.degraded === undefined ? 0 : 1,
    ),
    {
      name: 'waywiser_devices',
      help: 'Devices by state.',
      type: 'gauge',
      samples: [...states].map(([state, value]) => ({ labels: { state }, value })),
    },
    one('gauge', 'waywiser_discoveries_open', 'Discoveries that wait or run.', open),
    one('counter', 'waywiser_batches_pushed_total', 'Batches that entered the pipeline.', pushed),
    one('counter', 'waywiser_batches_filtered_total', 'Batches that processors took out.', filtered),
    {
      name: 'waywiser_output_accepted_total',
      help: 'Batches an output was given.',
      type: 'counter',
      samples: ofOutput('accepted'),
    },
    {
      name: 'waywiser_output_delivered_total',
      help: 'Batches an output delivered.',
      type: 'counter',
      samples: ofOutput('delivered'),
    },
    {
      name: 'waywiser_output_dropped_total',
      help: 'Batches an output lost, by reason.',
      type: 'counter',
      samples: droppedBy,
    },
    {
      name: 'waywiser_output_restored_total',
      help: 'Batches an earlier process left in the queue of an output.',
      type: 'counter',
      samples: ofOutput('restored'),
    },
    {
      name: 'waywiser_output_queued',
      help: 'Batches that wait for an output.',
      type: 'gauge',
      samples: ofOutput('queued'),
    },
    {
      name: 'waywiser_output_queue_bytes',
      help: 'What the queue of an output takes on the disk.',
      type: 'gauge',
      samples: ofOutput('queuedBytes'),
    },
    {
      name: 'waywiser_output_oldest_seconds',
      help: 'How long the oldest batch has waited for an output.',
      type: 'gauge',
      samples: waiting,
    },
    {
      name: 'waywiser_listener_failures_total',
      help: 'Event listeners that threw.',
      type: 'counter',
      samples: failures,
    },
  ];
}

import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import {
  histogramSamples,
  joinExpositions,
  labelExposition,
  labelledMetric,
  type Metric,
  oneMetric,
} from '../../../src/http/index.ts';
import { access, Type } from '../../../src/index.ts';
import { askWorkers } from '../../../src/sharding/index.ts';
import { Histogram } from '../../../src/timing/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { listClusterMetrics } from '../routes/cluster-state.ts';
import { renderMetrics } from './exposition.ts';
import { listPipelineMetrics } from './pipeline-metrics.ts';
import { ProcessMetrics } from './process-metrics.ts';

const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5];

/** Counts the API's answers. Neither paths nor names become labels, because clients choose them. */
class RequestMetrics {
  readonly #statuses = new Map<number, number>();
  readonly #seconds = new Histogram(bounds);

  listen(app: FastifyInstance): void {
    app.addHook('onResponse', (_request, { statusCode, elapsedTime }, done) => {
      this.#statuses.set(statusCode, (this.#statuses.get(statusCode) ?? 0) + 1);
      this.#seconds.add(elapsedTime / 1000);
      done();
    });
  }

  list(): Metric[] {
    const statuses = [...this.#statuses].map(([status, count]) => [String(status), count] as const);
    return [
      labelledMetric('counter', 'waywiser_http_requests_total', 'Answers by status code.', 'code', statuses),
      {
        name: 'waywiser_http_request_duration_seconds',
        help: 'Duration of requests, from their arrival to the end of the answer.',
        type: 'histogram',
        samples: histogramSamples(this.#seconds),
      },
    ];
  }
}

const textType = 'text/plain; version=0.0.4; charset=utf-8';

const schema = {
  operationId: 'getOwnMetrics',
  tags: ['collector'],
  summary: 'Metrics of the collector itself, for Prometheus, without the values of devices',
  response: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: Type.String() } } } },
};

/** Register it before the other routes: it counts the answers of routes that are registered after it. */
export function ownMetrics(context: ApiContext): RoutePlugin {
  const { collector, pipeline, refusedConnections, now } = context;
  const ofProcess = new ProcessMetrics(now);
  const ofRequests = new RequestMetrics();
  const routes: RoutePlugin = async (app) => {
    app.addHook('onClose', async () => ofProcess.close());
    ofRequests.listen(app);
    app.get('/metrics', { config: access('read'), schema }, async (_request, reply) => {
      const metrics = [
        ...describeCollector(collector),
        ...ofProcess.list(),
        ...listPipelineMetrics(pipeline, now()),
        ...listClusterMetrics(context.shards, pipeline),
        ...(await context.routes.listMetrics()),
        ...ofRequests.list(),
        ...listCertificate(context.certificateEndMs()),
        labelledMetric(
          'counter',
          'waywiser_http_connections_refused_total',
          'Connections that were closed because of a limit: total or address.',
          'limit',
          Object.entries(refusedConnections),
        ),
      ];
      const own = renderMetrics(metrics);
      const isWhole = context.shards.workers === undefined;
      return reply.type(textType).send(isWhole ? own : await addWorkers(own, context.shards));
    });
  };
  return fastifyPlugin(routes);
}

/** What a worker takes to write its own metrics, and more. */
const workerTimeoutMs = 5_000;

/** The metrics of this process, and those of its workers with the label `worker`. */
async function addWorkers(own: string, shards: ApiContext['shards']): Promise<string> {
  const answers = await askWorkers(shards, '/metrics', { timeoutMs: workerTimeoutMs });
  const texts = answers.map(({ worker, text }) => labelExposition(text?.toString() ?? '', 'worker', worker));
  const parts = [own, ...texts].map((text) => Buffer.from(text));
  return Buffer.concat([...joinExpositions(parts, false)]).toString();
}

function listCertificate(endMs: number | undefined): Metric[] {
  if (endMs === undefined) return [];
  const help = 'When the TLS certificate of the HTTP API ends, in seconds since 1970.';
  return [oneMetric('gauge', 'waywiser_http_certificate_end_timestamp_seconds', help, endMs / 1000)];
}

function describeCollector({ version, describe }: ApiContext['collector']): Metric[] {
  const failures = describe().plugins.map(({ name, listenerFailures }) => [name, listenerFailures] as const);
  return [
    labelledMetric('gauge', 'waywiser_info', 'The version of the collector.', 'version', [[version, 1]]),
    oneMetric('gauge', 'waywiser_uptime_seconds', 'Time since the start of the process.', process.uptime()),
    labelledMetric(
      'counter',
      'waywiser_listener_failures_total',
      'Errors thrown by event listeners.',
      'plugin',
      failures,
    ),
  ];
}

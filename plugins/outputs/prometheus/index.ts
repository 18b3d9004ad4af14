import { checkListen, nameListenFailure } from '../../../src/connection/index.ts';
import {
  type Batch,
  defineErrors,
  defineOutput,
  type Secret,
  secretOption,
  Type,
} from '../../../src/index.ts';
import { isLoopback } from '../../../src/model/index.ts';
import { FamilyTable, namingOptions } from '../../../src/output-kit/index.ts';
import { infoLabelsOption } from '../../../src/output-kit/internal.ts';
import { shardOf, shardsToken } from '../../../src/sharding/index.ts';
import { httpRoutesToken } from '../../http-routes/service.ts';
import { prometheusErrors } from './errors.ts';
import { metricsRoute } from './http/metrics-route.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { answerScrape, type ScrapeRequest } from './http/scrape.ts';
import { scrapeWorkers } from './http/scrape-workers.ts';
import { LatestValues } from './latest/latest-values.ts';

const failure = defineErrors(prometheusErrors);
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

export default defineOutput({
  name: 'prometheus',
  events: false,
  summary: 'Serves the latest values to Prometheus, as OpenMetrics or classic text.',
  options: Type.Object({
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'separate port for /metrics; without it http-api serves /api/v1/snmp/metrics',
      }),
    ),
    host: Type.String({ default: '127.0.0.1', description: 'address to listen on; only used with port' }),
    token: Type.Optional(
      secretOption({ description: 'bearer token that scrapers must send; only used with port' }),
    ),
    insecure: Type.Boolean({
      default: false,
      description: 'listen on other addresses than loopback without a token',
    }),
    allowed_hosts: Type.Array(Type.String(), {
      default: [],
      description: 'host names that scrapers may use besides localhost',
    }),
    ...namingOptions,
    ...infoLabelsOption,
    created_timestamps: Type.Boolean({
      default: false,
      description: 'write the start time of counters, in OpenMetrics',
    }),
    timestamps: Type.Boolean({
      default: false,
      description:
        'serve the polled values with the times of their polls, instead of counters that move between two polls',
    }),
    stale_intervals: Type.Integer({
      minimum: 1,
      default: 3,
      description: 'series end when their record was not polled for this number of its intervals',
    }),
  }),
  needs: { routes: httpRoutesToken, shards: shardsToken },
  async check({ name, options }) {
    checkServing(name, options);
    if (options.port !== undefined) await checkListen(name, { host: options.host, port: options.port });
  },
  async open({ name, options, needs, events, log }) {
    checkServing(name, options);
    const latest = new LatestValues({
      families: new FamilyTable(options.prefix),
      stateSets: new Set(options.state_sets),
      naming: options.naming,
      infoLabels: options.info_labels,
      staleIntervals: options.stale_intervals,
      timestamps: options.timestamps,
    });
    events.on('device.removed', ({ device }) => latest.end(device, Date.now()));
    events.on('device.state', ({ device, to }) => {
      if (to === 'down') latest.end(device, Date.now(), 'down');
    });
    const { naming, timestamps, created_timestamps: created } = options;
    const scrapeSettings = { naming, timestamps, created };
    const { shards } = needs;
    const path = routePath(name);
    const scrape = (request: ScrapeRequest) => {
      const own = answerScrape(latest, request, scrapeSettings, Date.now());
      return shards.workers === undefined ? own : scrapeWorkers(request, own, { shards, path, log });
    };
    // Their next owner serves the series of these devices.
    const leaveShards = shards.join({
      name,
      lose: (lost) => latest.endEach((device) => lost.has(shardOf(device)), Date.now()),
    });
    const write = (batches: readonly Batch[]) => {
      const nowMs = Date.now();
      for (const batch of batches) latest.take(batch, nowMs);
    };
    if (options.port === undefined) {
      needs.routes.add(metricsRoute(path, scrape));
      return { write, close: leaveShards };
    }
    const { host, port, token, allowed_hosts: allowedHosts } = options;
    const isNamed = isLoopback(host) && token === undefined;
    const hostNames = isNamed ? new Set([...loopbackNames, ...allowedHosts]) : undefined;
    const server = await startMetricsServer({ host, port, token, hostNames, scrape }).catch(
      (error: unknown) => {
        throw nameListenFailure(name, { host, port }, error);
      },
    );
    return {
      write,
      close: () =>
        new Promise((closed) => {
          leaveShards();
          server.close(() => closed());
          server.closeAllConnections();
        }),
    };
  },
});

interface ServingOptions {
  readonly port?: number;
  readonly host: string;
  readonly token?: Secret;
  readonly insecure: boolean;
  readonly allowed_hosts: readonly string[];
}

/** Throws when options contradict each other, or would show the values to other hosts. */
function checkServing(output: string, options: ServingOptions): void {
  const { host, port, token, insecure } = options;
  if (port === undefined) {
    const lost = listServerOptions(options);
    if (lost !== '') throw failure('PROMETHEUS_NO_PORT', { output, options: lost });
  } else if (!isLoopback(host) && token === undefined && !insecure) {
    throw failure('PROMETHEUS_OPEN', { output, host, port });
  }
}

/** Lists the options of a separate server that are set. `host` has a default, so it cannot tell. */
function listServerOptions(options: ServingOptions): string {
  const given = {
    token: options.token !== undefined,
    insecure: options.insecure,
    allowed_hosts: options.allowed_hosts.length > 0,
  };
  return Object.entries(given)
    .flatMap(([name, isGiven]) => (isGiven ? [name] : []))
    .join(', ');
}

/** A second instance, such as `prometheus/lab`, has a path below that of the first one. */
function routePath(name: string): string {
  const [, instance] = name.split('/');
  return `/api/v1/snmp/metrics${instance === undefined ? '' : `/${instance}`}`;
}

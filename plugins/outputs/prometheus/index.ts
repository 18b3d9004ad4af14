import { defineErrors, defineOutput, secretOption, Type } from '../../../src/index.ts';
import { prometheusErrors } from './errors.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { answerScrape } from './http/scrape.ts';
import { LatestValues } from './latest/latest-values.ts';
import { FamilyTable } from './naming/family-table.ts';

const failure = defineErrors(prometheusErrors);
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

export default defineOutput({
  name: 'prometheus',
  summary: 'Serves the latest values to Prometheus, as OpenMetrics or classic text.',
  options: Type.Object({
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 9469, description: 'serves /metrics' }),
    host: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
    token: Type.Optional(secretOption({ description: 'bearer token that scrapers must send' })),
    insecure: Type.Boolean({
      default: false,
      description: 'listen beyond this machine although no token is wanted',
    }),
    allowed_hosts: Type.Array(Type.String(), {
      default: [],
      description: 'names besides localhost that scrapers may call it by',
    }),
    prefix: Type.String({
      pattern: '^[a-z_][a-z0-9_]*$',
      default: 'snmp_',
      description: 'what every name begins with',
    }),
    state_sets: Type.Array(Type.String(), {
      default: [],
      description: 'fields of named values that become state sets instead of labels of an info metric',
    }),
    created_timestamps: Type.Boolean({
      default: false,
      description: 'write when counters began, in OpenMetrics',
    }),
    timestamps: Type.Boolean({ default: false, description: 'write when each value was polled' }),
    stale_intervals: Type.Integer({
      minimum: 1,
      default: 3,
      description: 'series end when their record was not polled for so many of its intervals',
    }),
  }),
  async open({ name, options, events }) {
    const { host, port, token } = options;
    const isLoopback = /^(127\.|::1$|localhost$)/.test(host);
    if (!isLoopback && token === undefined && !options.insecure) {
      throw failure('PROMETHEUS_OPEN', { output: name, host, port });
    }
    const latest = new LatestValues({
      families: new FamilyTable(options.prefix),
      stateSets: new Set(options.state_sets),
      staleIntervals: options.stale_intervals,
    });
    events.on('device.removed', ({ device }) => latest.end(device, Date.now()));
    events.on('device.state', ({ device, to }) => {
      if (to === 'down') latest.end(device, Date.now());
    });
    const scrapeSettings = { timestamps: options.timestamps, created: options.created_timestamps };
    const server = await startMetricsServer({
      host,
      port,
      token,
      hostNames:
        isLoopback && token === undefined ? new Set([...loopbackNames, ...options.allowed_hosts]) : undefined,
      scrape: (request) => answerScrape(latest, request, scrapeSettings, Date.now()),
    });
    return {
      write(batches) {
        for (const batch of batches) latest.take(batch);
      },
      close: () =>
        new Promise((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        }),
    };
  },
});

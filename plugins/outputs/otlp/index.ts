import { defineOutput, Type } from '../../../src/index.ts';
import {
  createPoster,
  createTrackedWriter,
  GroupSender,
  gzipOption,
  postingOptions,
} from '../../../src/output-kit/index.ts';
import { CounterTimes } from './counters/counter-times.ts';
import { listLogs } from './logs/log-record.ts';
import { encodeLogsJson, encodeLogsProtobuf } from './logs/log-request.ts';
import { splitEvents } from './logs/split-events.ts';
import { countPoints, MetricWalk } from './metrics/metric-walk.ts';
import { encodeJson } from './wire/json-request.ts';
import { checkPartialSuccess } from './wire/partial-success.ts';
import { encodeProtobuf } from './wire/protobuf-request.ts';

/** The protocol forbids a retry after any other status: https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const retryable = new Set([429, 502, 503, 504]);

export default defineOutput({
  name: 'otlp',
  summary: 'Sends metrics and events to OpenTelemetry collectors and backends with OTLP over HTTP.',
  module: import.meta.url,
  opensLater: true,
  events: ({ logs_url: url }) => url !== undefined,
  options: Type.Object({
    ...postingOptions,
    ...gzipOption,
    encoding: Type.Union([Type.Literal('protobuf'), Type.Literal('json')], {
      default: 'protobuf',
      description: 'encoding of requests: protobuf or json',
    }),
    temporality: Type.Union([Type.Literal('cumulative'), Type.Literal('delta')], {
      default: 'cumulative',
      description:
        'how counters are sent: cumulative (the current value) or delta (the increase since the last poll)',
    }),
    logs_url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description: 'where events, such as traps, are sent as log records; without it they are not sent',
      }),
    ),
    service_name: Type.String({
      minLength: 1,
      default: 'snmp',
      description: 'service.name of every device',
    }),
  }),
  open({ options, events, log, collector, queuedBatches }) {
    const { temporality, service_name: serviceName } = options;
    const scope = { name: 'waywiser', version: collector.version };
    const times = new CounterTimes(temporality);
    events.on('device.removed', ({ device }) => times.forget(device));
    const poster = createPoster(options, { log, mayPass: (status) => retryable.has(status) });
    const walk = new MetricWalk({ serviceName, temporality });
    const [texts, bytes] = [new WeakMap(), new WeakMap()];
    const isJson = options.encoding === 'json';
    const contentType = isJson ? 'application/json' : 'application/x-protobuf';
    const metrics = createTrackedWriter(
      {
        maxValues: options.max_request_values,
        maxBytes: options.max_request_bytes,
        isLabel: ({ kind }) => kind === 'text' || kind === 'list',
        follow: (batch) => times.follow(batch),
        encode(batches) {
          const devices = walk.walk(batches);
          if (devices.length === 0) return undefined;
          const body = isJson ? encodeJson(devices, scope, texts) : encodeProtobuf(devices, scope, bytes);
          return { body, plainBytes: body.length, points: countPoints(devices) };
        },
        async send({ body, points }, _, signal) {
          const answer = await poster.post({ body, contentType }, signal);
          checkPartialSuccess(answer, points, { quote: poster.quote, log });
        },
        close: () => poster.close(),
      },
      { events, queuedBatches },
    );
    if (options.logs_url === undefined) return metrics;
    const logPoster = createPoster(
      { ...options, url: options.logs_url },
      { log, mayPass: (status) => retryable.has(status) },
    );
    const logs = new GroupSender({
      maxValues: options.max_request_values,
      maxBytes: options.max_request_bytes,
      encode(batches) {
        const devices = listLogs(batches, serviceName);
        if (devices.length === 0) return undefined;
        const body = (isJson ? encodeLogsJson : encodeLogsProtobuf)(devices, scope);
        const records = devices.reduce((sum, device) => sum + device.records.length, 0);
        return { body, plainBytes: body.length, records };
      },
      async send({ body, records }, _, signal) {
        const answer = await logPoster.post({ body, contentType }, signal);
        checkPartialSuccess(answer, records, { quote: logPoster.quote, log, what: 'log records' });
      },
    });
    return {
      write: splitEvents(logs.write, metrics.write),
      async close() {
        logPoster.close();
        await metrics.close?.();
      },
    };
  },
});

import assert from 'node:assert/strict';
import type { ReceivedRequest } from '../support/http-receiver.ts';
import { readJsonMessage } from '../support/protobuf-json-reader.ts';
import { type ReadMessage, readMessage } from '../support/protobuf-reader.ts';
import { exportRequest, logsRequest } from './metrics-schema.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface ReadPoint {
  readonly resource: Attributes;
  readonly name: string;
  readonly unit: string | undefined;
  readonly sum: 'delta' | 'cumulative' | undefined;
  readonly attributes: Attributes;
  readonly startMs: number | undefined;
  readonly timeMs: number;
  readonly value: number | bigint | 'none';
}

/** Reads the points of a request in either encoding, and checks them with the schema and the data model. */
export function readExport({ method, headers, body }: ReceivedRequest): ReadPoint[] {
  assert.equal(method, 'POST');
  const isJson = headers['content-type'] === 'application/json';
  if (!isJson) assert.equal(headers['content-type'], 'application/x-protobuf');
  const read = isJson
    ? readJsonMessage(JSON.parse(body.toString()), exportRequest)
    : readMessage(body, exportRequest);
  return list(read, 'resource_metrics').flatMap((device) => {
    const resource = readAttributes(device['resource'] as ReadMessage);
    return list(device, 'scope_metrics').flatMap((scoped) => {
      assert.equal((scoped['scope'] as ReadMessage)['name'], 'waywiser');
      return list(scoped, 'metrics').flatMap((metric) => readMetric(metric, resource));
    });
  });
}

/** Reads the log records of a request in either encoding, and checks them with the schema. */
export function readLogs({ headers, body }: ReceivedRequest) {
  const isJson = headers['content-type'] === 'application/json';
  const read = isJson
    ? readJsonMessage(JSON.parse(body.toString()), logsRequest)
    : readMessage(body, logsRequest);
  return list(read, 'resource_logs').flatMap((device) =>
    list(device, 'scope_logs').flatMap((scoped) =>
      list(scoped, 'log_records').map((each) => ({
        host: readAttributes(device['resource'] as ReadMessage)['host.name'],
        timeMs: milliseconds(each['time_unix_nano']),
        observedMs: milliseconds(each['observed_time_unix_nano']),
        severity: each['severity_text'] && [each['severity_number'], each['severity_text']],
        body: (each['body'] as ReadMessage)['string_value'],
        event: each['event_name'],
        attributes: readAttributes(each),
      })),
    ),
  );
}

function readMetric(metric: ReadMessage, resource: Attributes): ReadPoint[] {
  const { name, unit } = metric as { name: string; unit?: string };
  assert.match(name, /^[A-Za-z][A-Za-z0-9_.\-/]{0,254}$/);
  const sum = metric['sum'] as ReadMessage | undefined;
  const data = sum ?? (metric['gauge'] as ReadMessage);
  if (sum !== undefined) assert.equal(sum['is_monotonic'], true);
  const temporality = ([undefined, 'delta', 'cumulative'] as const)[
    Number(sum?.['aggregation_temporality'] ?? 0)
  ];
  assert.equal(temporality === undefined, sum === undefined);
  const points = list(data, 'data_points');
  assert.ok(points.length > 0, `${name} has no points`);
  return points.map((point) => readPoint(point, { resource, name, unit, sum: temporality }));
}

function readPoint(
  point: ReadMessage,
  parts: Pick<ReadPoint, 'resource' | 'name' | 'unit' | 'sum'>,
): ReadPoint {
  const startMs = milliseconds(point['start_time_unix_nano']);
  const timeMs = milliseconds(point['time_unix_nano']);
  const value = (point['as_int'] ?? point['as_double']) as number | bigint | undefined;
  const isNone = point['flags'] === 1;
  assert.ok(timeMs !== undefined);
  assert.equal(value === undefined, isNone, 'a value is there, or the flag that says there is none');
  if (parts.sum !== undefined && !isNone)
    assert.ok(startMs !== undefined && startMs <= timeMs, 'a sum counts from a time');
  if (parts.sum === 'delta') assert.ok(startMs! < timeMs);
  return { ...parts, attributes: readAttributes(point), startMs, timeMs, value: value ?? 'none' };
}

function readAttributes(holder: ReadMessage): Attributes {
  const attributes = list(holder, 'attributes').map(({ key, value }) => {
    assert.ok(typeof key === 'string' && key !== '');
    const any = value as ReadMessage;
    const values = any['array_value'] as ReadMessage | undefined;
    if (values !== undefined) return [key, list(values, 'values').map((item) => item['string_value'])];
    return [key, any['string_value'] ?? any['bool_value'] ?? any['double_value'] ?? Number(any['int_value'])];
  });
  assert.equal(
    new Set(attributes.map(([key]) => key)).size,
    attributes.length,
    'an attribute is there twice',
  );
  return Object.fromEntries(attributes) as Attributes;
}

function list(holder: ReadMessage, field: string): readonly ReadMessage[] {
  return (holder[field] ?? []) as readonly ReadMessage[];
}

function milliseconds(nanoseconds: unknown): number | undefined {
  return nanoseconds === undefined ? undefined : Number((nanoseconds as bigint) / 1_000_000n);
}

import type { Attribute } from '../metrics/attribute.ts';
import type { DeviceMetrics, Metric, Point, PointValue } from '../metrics/metric-walk.ts';
import { type Scope, temporalityCodes } from './scope.ts';

/** `ExportMetricsServiceRequest` as JSON: numbers of 64 bits are texts, enums are numbers, keys are in camelCase. */
export function encodeJson(devices: readonly DeviceMetrics[], scope: Scope): Buffer {
  const resourceMetrics = devices.map(({ resource, metrics }) => ({
    resource: { attributes: resource.map(describeAttribute) },
    scopeMetrics: [{ scope, metrics: metrics.map(describeMetric) }],
  }));
  return Buffer.from(JSON.stringify({ resourceMetrics }));
}

function describeMetric({ name, unit, sum, points }: Metric) {
  const dataPoints = points.map(describePoint);
  const data =
    sum === undefined
      ? { gauge: { dataPoints } }
      : { sum: { dataPoints, aggregationTemporality: temporalityCodes[sum], isMonotonic: true } };
  return { name, ...(unit === '' ? {} : { unit }), ...data };
}

function describePoint({ attributes, startMs, timeMs, value }: Point) {
  return {
    ...(startMs === undefined ? {} : { startTimeUnixNano: nanoseconds(startMs) }),
    timeUnixNano: nanoseconds(timeMs),
    ...describeValue(value),
    attributes: attributes.map(describeAttribute),
    ...(value.kind === 'none' ? { flags: 1 } : {}),
  };
}

/** JSON has no word for what is no finite number; protobuf's mapping writes it as a text. */
function describeValue(value: PointValue) {
  if (value.kind === 'integer') {
    return { asInt: ((BigInt(value.high) << 32n) | BigInt(value.low)).toString() };
  }
  if (value.kind === 'none') return {};
  return { asDouble: Number.isFinite(value.double) ? value.double : String(value.double) };
}

function describeAttribute([key, value]: Attribute) {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'number') return { key, value: { intValue: String(value) } };
  return { key, value: { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } } };
}

function nanoseconds(timeMs: number): string {
  return `${BigInt(Math.round(timeMs)) * 1_000_000n}`;
}

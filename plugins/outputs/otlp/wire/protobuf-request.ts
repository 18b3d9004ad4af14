import type { Attribute } from '../metrics/attribute.ts';
import type { DeviceMetrics, Metric, Point } from '../metrics/metric-walk.ts';
import { ReverseWriter } from './reverse-writer.ts';
import { type Scope, temporalityCodes } from './scope.ts';

/** Bytes of lists of attributes; one for all requests, as lists stay. */
export type AttributeBytes = WeakMap<readonly Attribute[], Buffer>;

/**
 * `ExportMetricsServiceRequest` as protobuf. The numbers of the fields are those of
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto
 */
export function encodeProtobuf(
  devices: readonly DeviceMetrics[],
  scope: Scope,
  remembered: AttributeBytes,
): Buffer {
  const out = new ReverseWriter();
  for (const { resource, metrics } of devices.toReversed()) {
    out.message(1, () => {
      out.message(2, () => {
        for (const metric of metrics.toReversed()) out.message(2, () => writeMetric(out, metric, remembered));
        out.message(1, () => {
          out.text(2, scope.version);
          out.text(1, scope.name);
        });
      });
      out.message(1, () => out.raw(encodeAttributes(1, resource)));
    });
  }
  return out.finish();
}

function writeMetric(
  out: ReverseWriter,
  { name, unit, sum, points }: Metric,
  remembered: AttributeBytes,
): void {
  const [gaugeField, sumField] = [5, 7];
  out.message(sum === undefined ? gaugeField : sumField, () => {
    if (sum !== undefined) {
      out.number(3, 1);
      out.number(2, temporalityCodes[sum]);
    }
    for (const point of points.toReversed()) out.message(1, () => writePoint(out, point, remembered));
  });
  if (unit !== '') out.text(3, unit);
  out.text(1, name);
}

function writePoint(out: ReverseWriter, point: Point, remembered: AttributeBytes): void {
  const { attributes, value, startMs, timeMs } = point;
  if (value.kind === 'none') out.number(8, 1);
  let bytes = remembered.get(attributes);
  if (bytes === undefined) {
    bytes = encodeAttributes(7, attributes);
    remembered.set(attributes, bytes);
  }
  out.raw(bytes);
  if (value.kind === 'integer') out.words(6, value.low, value.high);
  if (value.kind === 'double') out.double(4, value.double);
  writeTime(out, 3, timeMs);
  if (startMs !== undefined) writeTime(out, 2, startMs);
}

/** Nanoseconds need more than the 53 bits of a number. */
function writeTime(out: ReverseWriter, field: number, timeMs: number): void {
  const nanoseconds = BigInt(Math.round(timeMs)) * 1_000_000n;
  out.words(field, Number(nanoseconds & 0xffff_ffffn), Number(nanoseconds >> 32n));
}

function encodeAttributes(field: number, attributes: readonly Attribute[]): Buffer {
  const out = new ReverseWriter();
  for (const [key, value] of attributes.toReversed()) {
    out.message(field, () => {
      out.message(2, () => writeValue(out, value));
      out.text(1, key);
    });
  }
  return Buffer.from(out.finish());
}

function writeValue(out: ReverseWriter, value: Attribute[1]): void {
  if (typeof value === 'string') out.text(1, value);
  else if (typeof value === 'number') out.number(3, value);
  else {
    out.message(5, () => {
      for (const item of value.toReversed()) out.message(1, () => out.text(1, item));
    });
  }
}

import { isIntegerValue } from '../metrics/attribute-text.ts';
import type { Attribute } from '../metrics/attributes.ts';
import { type DeviceMetrics, type Metric, type Scope, temporalityCodes } from '../metrics/metric.ts';
import { ReverseWriter } from './reverse-writer.ts';

/** Encoded lists of attributes. Shared by all requests, because the lists stay the same. */
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
      out.message(1, () => writeAttributes(out, 1, resource));
    });
  }
  return out.finish();
}

function writeMetric(out: ReverseWriter, metric: Metric, remembered: AttributeBytes): void {
  const { name, unit, sum, rows } = metric;
  const [gaugeField, sumField] = [5, 7];
  out.message(sum === undefined ? gaugeField : sumField, () => {
    if (sum !== undefined) {
      out.number(3, 1);
      out.number(2, temporalityCodes[sum]);
    }
    const time = nanoseconds(metric.timeMs);
    for (let i = rows.length - 1; i >= 0; i--) {
      const end = out.size;
      writePoint(out, metric, rows[i]!, time, remembered);
      out.close(1, end);
    }
  });
  if (unit !== '') out.text(3, unit);
  out.text(1, name);
}

function writePoint(
  out: ReverseWriter,
  { attributes, texts, startsMs, values }: Metric,
  row: number,
  time: Words,
  remembered: AttributeBytes,
): void {
  if (values === 'none') out.number(8, 1);
  if (texts !== undefined) writeAttributes(out, 7, texts[row]!);
  const own = attributes[row]!;
  let bytes = remembered.get(own);
  if (bytes === undefined) {
    bytes = encodeAttributes(7, own);
    remembered.set(own, bytes);
  }
  out.raw(bytes);
  writeNumber(out, values, row);
  out.words(3, time.low, time.high);
  const startMs = startsMs?.[row] ?? Number.NaN;
  if (Number.isNaN(startMs)) return;
  const start = nanoseconds(startMs);
  out.words(2, start.low, start.high);
}

/** The integer of a point is signed. A larger counter becomes a double. */
function writeNumber(out: ReverseWriter, values: Metric['values'], row: number): void {
  const [doubleField, integerField] = [4, 6];
  if (values === 'none') return;
  if (values === 'one') out.double(doubleField, 1);
  else if (values.kind === 'number') out.double(doubleField, values.values[row]!);
  else if (values.kind === 'boolean') out.words(integerField, values.values[row]!, 0);
  else {
    const [low, high] = [values.words[2 * row]!, values.words[2 * row + 1]!];
    if (high < 0x8000_0000) out.words(integerField, low, high);
    else out.double(doubleField, high * 0x1_0000_0000 + low);
  }
}

interface Words {
  readonly low: number;
  readonly high: number;
}

/** Nanoseconds need more than the 53 bits of a number: each half is computed separately, with a carry from the low one. */
export function nanoseconds(timeMs: number): Words {
  const wholeMs = Math.round(timeMs);
  const low = (wholeMs % 0x1_0000_0000) * 1e6;
  const high = Math.floor(wholeMs / 0x1_0000_0000) * 1e6;
  return { low: low % 0x1_0000_0000, high: high + Math.floor(low / 0x1_0000_0000) };
}

function encodeAttributes(field: number, attributes: readonly Attribute[]): Buffer {
  const out = new ReverseWriter();
  writeAttributes(out, field, attributes);
  return Buffer.from(out.finish());
}

export function writeAttributes(out: ReverseWriter, field: number, attributes: readonly Attribute[]): void {
  for (const [key, value] of attributes.toReversed()) {
    out.message(field, () => {
      out.message(2, () => writeValue(out, value));
      out.text(1, key);
    });
  }
}

function writeValue(out: ReverseWriter, value: Attribute[1]): void {
  if (typeof value === 'string') out.text(1, value);
  else if (typeof value === 'boolean') out.number(2, value ? 1 : 0);
  else if (typeof value === 'number') isIntegerValue(value) ? out.number(3, value) : out.double(4, value);
  else {
    out.message(5, () => {
      for (const item of value.toReversed()) out.message(1, () => out.text(1, item));
    });
  }
}

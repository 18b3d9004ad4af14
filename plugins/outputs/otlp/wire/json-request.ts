import { TextBuffer } from '../../../../src/output-kit/index.ts';
import { isIntegerValue } from '../metrics/attribute-text.ts';
import type { Attribute } from '../metrics/attributes.ts';
import { type DeviceMetrics, type Metric, type Scope, temporalityCodes } from '../metrics/metric.ts';

/** JSON of lists of attributes. Shared by all requests, because the lists stay the same. */
export type AttributeTexts = WeakMap<readonly Attribute[], Uint8Array>;

/** Encodes an `ExportMetricsServiceRequest` as JSON: 64-bit numbers are strings, enums are numbers, keys are camelCase. */
export function encodeJson(
  devices: readonly DeviceMetrics[],
  scope: Scope,
  remembered: AttributeTexts,
): Buffer {
  const scopeText = JSON.stringify(scope);
  const out = new TextBuffer();
  out.write('{"resourceMetrics":[');
  for (const [i, { resource, metrics }] of devices.entries()) {
    out.write(`${i === 0 ? '' : ','}{"resource":{"attributes":[${attributesText(resource)}]},`);
    out.write(`"scopeMetrics":[{"scope":${scopeText},"metrics":[`);
    for (const [j, metric] of metrics.entries()) {
      if (j > 0) out.octet(octets.comma);
      writeMetric(out, metric, remembered);
    }
    out.write(']}]}');
  }
  out.write(']}');
  return out.take();
}

function writeMetric(out: TextBuffer, metric: Metric, remembered: AttributeTexts): void {
  const { name, unit, sum } = metric;
  out.write(`{"name":${JSON.stringify(name)},`);
  if (unit !== '') out.write(`"unit":${JSON.stringify(unit)},`);
  if (sum === undefined) out.write('"gauge":{');
  else out.write(`"sum":{"aggregationTemporality":${temporalityCodes[sum]},"isMonotonic":true,`);
  out.write('"dataPoints":[');
  writePoints(out, metric, remembered);
  out.write(']}}');
}

function writePoints(out: TextBuffer, metric: Metric, remembered: AttributeTexts): void {
  const { rows, attributes, texts, startsMs, timeMs } = metric;
  const time = Buffer.from(`"timeUnixNano":"${nanosecondsText(timeMs)}",`);
  for (const [i, row] of rows.entries()) {
    if (i > 0) out.octet(octets.comma);
    out.octet(octets.begin);
    const startMs = startsMs?.[row] ?? Number.NaN;
    if (!Number.isNaN(startMs)) {
      out.copy(startBegin);
      out.float(Math.round(startMs));
      out.copy(startEnd);
    }
    out.copy(time);
    writeValue(out, metric, row);
    out.copy(attributesBegin);
    out.copy(rememberText(attributes[row]!, remembered));
    if (texts !== undefined) out.write(`,${attributesText(texts[row]!)}`);
    out.copy(pointEnd);
  }
}

function writeValue(out: TextBuffer, { values }: Metric, row: number): void {
  if (values === 'none') out.write('"flags":1,');
  else if (values === 'one') out.write('"asDouble":1,');
  else if (values.kind === 'boolean') out.write(`"asInt":"${values.values[row]}",`);
  else if (values.kind === 'number') writeDouble(out, values.values[row]!);
  else writeCounter(out, values.words[2 * row]!, values.words[2 * row + 1]!);
}

/** The integer of a point is signed. A larger counter becomes a double. */
function writeCounter(out: TextBuffer, low: number, high: number): void {
  if (high >= 0x8000_0000) return void writeDouble(out, high * 0x1_0000_0000 + low);
  out.copy(integerBegin);
  out.counter(low, high);
  out.copy(integerEnd);
}

/** JSON has no NaN and no infinities. The mapping of protobuf writes them as strings. */
function writeDouble(out: TextBuffer, value: number): void {
  if (!Number.isFinite(value)) return void out.write(`"asDouble":"${value}",`);
  out.copy(doubleBegin);
  out.float(value);
  out.octet(octets.comma);
}

const octets = { comma: 0x2c, begin: 0x7b };
/** Milliseconds fit into a number, nanoseconds do not. */
const [startBegin, startEnd] = [Buffer.from('"startTimeUnixNano":"'), Buffer.from('000000",')];
const [integerBegin, integerEnd] = [Buffer.from('"asInt":"'), Buffer.from('",')];
const doubleBegin = Buffer.from('"asDouble":');
const [attributesBegin, pointEnd] = [Buffer.from('"attributes":['), Buffer.from(']}')];

function rememberText(attributes: readonly Attribute[], remembered: AttributeTexts): Uint8Array {
  let text = remembered.get(attributes);
  if (text === undefined) {
    text = Buffer.from(attributesText(attributes));
    remembered.set(attributes, text);
  }
  return text;
}

export function attributesText(attributes: readonly Attribute[]): string {
  return attributes.map((each) => JSON.stringify(describeAttribute(each))).join();
}

function describeAttribute([key, value]: Attribute) {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'boolean') return { key, value: { boolValue: value } };
  if (typeof value === 'number')
    return { key, value: isIntegerValue(value) ? { intValue: String(value) } : { doubleValue: value } };
  return { key, value: { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } } };
}

export function nanosecondsText(timeMs: number): string {
  return `${Math.round(timeMs)}000000`;
}

import type { Attribute } from '../metrics/attribute.ts';
import type { DeviceMetrics, Metric } from '../metrics/metric.ts';
import { type Scope, temporalityCodes } from './scope.ts';
import { TextWriter } from './text-writer.ts';

/** Texts of lists of attributes; one for all requests, as lists stay. */
export type AttributeTexts = WeakMap<readonly Attribute[], string>;

/** `ExportMetricsServiceRequest` as JSON: numbers of 64 bits are texts, enums are numbers, keys are in camelCase. */
export function encodeJson(
  devices: readonly DeviceMetrics[],
  scope: Scope,
  remembered: AttributeTexts,
): Buffer {
  const scopeText = JSON.stringify(scope);
  const out = new TextWriter();
  out.write('{"resourceMetrics":[');
  for (const [i, { resource, metrics }] of devices.entries()) {
    out.write(`${i === 0 ? '' : ','}{"resource":{"attributes":[${attributesText(resource)}]},`);
    out.write(`"scopeMetrics":[{"scope":${scopeText},"metrics":[`);
    for (const [j, metric] of metrics.entries()) {
      out.write((j === 0 ? '' : ',') + metricText(metric, remembered));
    }
    out.write(']}]}');
  }
  out.write(']}');
  return out.finish();
}

function metricText(metric: Metric, remembered: AttributeTexts): string {
  const { name, unit, sum } = metric;
  let text = `{"name":${JSON.stringify(name)},`;
  if (unit !== '') text += `"unit":${JSON.stringify(unit)},`;
  text +=
    sum === undefined
      ? '"gauge":{'
      : `"sum":{"aggregationTemporality":${temporalityCodes[sum]},"isMonotonic":true,`;
  return `${text}"dataPoints":[${pointsText(metric, remembered)}]}}`;
}

function pointsText(metric: Metric, remembered: AttributeTexts): string {
  const { rows, attributes, texts, startsMs, timeMs } = metric;
  const time = `"timeUnixNano":"${nanoseconds(timeMs)}",`;
  let text = '';
  for (const row of rows) {
    const own = attributes[row]!;
    let ownText = remembered.get(own);
    if (ownText === undefined) {
      ownText = attributesText(own);
      remembered.set(own, ownText);
    }
    if (texts !== undefined) ownText += `,${attributesText(texts[row]!)}`;
    const startMs = startsMs?.[row] ?? Number.NaN;
    const start = Number.isNaN(startMs) ? '' : `"startTimeUnixNano":"${nanoseconds(startMs)}",`;
    text += `${text === '' ? '' : ','}{${start}${time}${valueText(metric, row)}"attributes":[${ownText}]}`;
  }
  return text;
}

/** An integer of a point is signed: a counter beyond that is a double. */
function valueText({ values }: Metric, row: number): string {
  if (values === 'none') return '"flags":1,';
  if (values === 'one') return '"asDouble":1,';
  if (values.kind === 'boolean') return `"asInt":"${values.values[row]}",`;
  if (values.kind === 'number') return doubleText(values.values[row]!);
  const [low, high] = [values.words[2 * row]!, values.words[2 * row + 1]!];
  if (high < 0x20_0000) return `"asInt":"${high * 0x1_0000_0000 + low}",`;
  if (high < 0x8000_0000) return `"asInt":"${(BigInt(high) << 32n) | BigInt(low)}",`;
  return doubleText(high * 0x1_0000_0000 + low);
}

/** JSON has no word for what is no finite number; protobuf's mapping writes it as a text. */
function doubleText(value: number): string {
  return Number.isFinite(value) ? `"asDouble":${value},` : `"asDouble":"${value}",`;
}

function attributesText(attributes: readonly Attribute[]): string {
  return attributes.map((each) => JSON.stringify(describeAttribute(each))).join();
}

function describeAttribute([key, value]: Attribute) {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'number') return { key, value: { intValue: String(value) } };
  return { key, value: { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } } };
}

/** Milliseconds fit a number, their nanoseconds do not. */
function nanoseconds(timeMs: number): string {
  return `${Math.round(timeMs)}000000`;
}

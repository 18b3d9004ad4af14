import { type Batch, rowsOf, type Value } from '../../../../src/index.ts';
import { hasSameTags } from '../../../../src/model/index.ts';
import { cutText, takeKey, wellFormed } from '../metrics/attribute-text.ts';
import { type Attribute, resourceAttributes } from '../metrics/attributes.ts';

/** A row of an event as a log record of OpenTelemetry. */
export interface LogRecord {
  readonly timeMs: number;
  readonly observedMs: number;
  readonly severity: Severity | undefined;
  /** A sentence for people where there is one, else the name of the event. */
  readonly body: string;
  readonly eventName: string;
  readonly attributes: readonly Attribute[];
}

interface Severity {
  readonly number: number;
  readonly text: string;
}

/** Successive events of one device. */
export interface DeviceLogs {
  readonly resource: readonly Attribute[];
  readonly records: LogRecord[];
}

/** The severities of syslog: https://opentelemetry.io/docs/specs/otel/logs/data-model-appendix/#appendix-b-severitynumber-example-mappings */
const severityNumbers: ReadonlyMap<string, number> = new Map([
  ['emergency', 21],
  ['alert', 19],
  ['critical', 18],
  ['error', 17],
  ['warning', 13],
  ['notice', 10],
  ['info', 9],
  ['debug', 5],
]);

export function listLogs(batches: readonly Batch[], serviceName: string): DeviceLogs[] {
  const devices: (DeviceLogs & { readonly batch: Batch })[] = [];
  for (const batch of batches) {
    const records = listRecords(batch);
    if (records.length === 0) continue;
    const last = devices.at(-1);
    if (last !== undefined && isSameDevice(last.batch, batch)) last.records.push(...records);
    else devices.push({ batch, resource: resourceAttributes(batch, serviceName), records });
  }
  return devices;
}

function listRecords(batch: Batch): LogRecord[] {
  const { record, trapId, slotMs, timeMs } = batch;
  const eventName = wellFormed(record);
  return Array.from(rowsOf(batch), ({ key, labels, values }): LogRecord => {
    const severity = labels['trap.severity'];
    const number = severity === undefined ? undefined : severityNumbers.get(severity);
    const message = values['trap.message'];
    const taken = new Set(['snmp.row', 'trap_id']);
    const attributes: Attribute[] = [['snmp.row', cutText(key)]];
    if (trapId !== undefined) attributes.push(['trap_id', wellFormed(trapId)]);
    for (const [label, value] of Object.entries(labels))
      attributes.push([takeKey(label, taken), cutText(value)]);
    for (const [field, value] of Object.entries(values))
      attributes.push([takeKey(field, taken), attributeValue(value)]);
    return {
      timeMs: slotMs,
      observedMs: timeMs,
      severity: severity === undefined || number === undefined ? undefined : { number, text: severity },
      body: typeof message === 'string' ? wellFormed(message) : eventName,
      eventName,
      attributes,
    };
  });
}

/** A double has no way to JSON when it is NaN or infinite: it becomes text, like a counter beyond 53 bits. */
function attributeValue(value: Value): Attribute[1] {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return wellFormed(value);
  return typeof value === 'boolean' ? value : value.map(wellFormed);
}

function isSameDevice(a: Batch, b: Batch): boolean {
  const [{ device: one }, { device: other }] = [a, b];
  return (
    one.name === other.name && one.ip === other.ip && one.port === other.port && hasSameTags(a.tags, b.tags)
  );
}

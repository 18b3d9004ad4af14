import type { Scope } from '../metrics/metric.ts';
import { attributesText, nanosecondsText } from '../wire/json-request.ts';
import { nanoseconds, writeAttributes } from '../wire/protobuf-request.ts';
import { ReverseWriter } from '../wire/reverse-writer.ts';
import type { DeviceLogs, LogRecord } from './log-record.ts';

/** Encodes an `ExportLogsServiceRequest` as JSON. */
export function encodeLogsJson(devices: readonly DeviceLogs[], scope: Scope): Buffer {
  const scopeText = JSON.stringify(scope);
  const parts = devices.map(
    ({ resource, records }) =>
      `{"resource":{"attributes":[${attributesText(resource)}]},"scopeLogs":[{"scope":${scopeText},"logRecords":[${records.map(recordText).join()}]}]}`,
  );
  return Buffer.from(`{"resourceLogs":[${parts.join()}]}`);
}

function recordText({ timeMs, observedMs, severity, body, eventName, attributes }: LogRecord): string {
  const severityText =
    severity === undefined
      ? ''
      : `"severityNumber":${severity.number},"severityText":${JSON.stringify(severity.text)},`;
  return `{"timeUnixNano":"${nanosecondsText(timeMs)}","observedTimeUnixNano":"${nanosecondsText(observedMs)}",${severityText}"body":{"stringValue":${JSON.stringify(body)}},"eventName":${JSON.stringify(eventName)},"attributes":[${attributesText(attributes)}]}`;
}

/**
 * The same as protobuf. The numbers of the fields are those of
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto
 */
export function encodeLogsProtobuf(devices: readonly DeviceLogs[], scope: Scope): Buffer {
  const out = new ReverseWriter();
  for (const { resource, records } of devices.toReversed()) {
    out.message(1, () => {
      out.message(2, () => {
        for (const record of records.toReversed()) out.message(2, () => writeRecord(out, record));
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

function writeRecord(
  out: ReverseWriter,
  { timeMs, observedMs, severity, body, eventName, attributes }: LogRecord,
): void {
  out.text(12, eventName);
  const observed = nanoseconds(observedMs);
  out.words(11, observed.low, observed.high);
  writeAttributes(out, 6, attributes);
  out.message(5, () => out.text(1, body));
  if (severity !== undefined) {
    out.text(3, severity.text);
    out.number(2, severity.number);
  }
  const time = nanoseconds(timeMs);
  out.words(1, time.low, time.high);
}

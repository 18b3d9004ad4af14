import type { FieldType, MessageSchema } from '../support/protobuf-reader.ts';

const message = (name: string, fields: MessageSchema['fields']): MessageSchema => ({ name, fields });
const one = (name: string, type: FieldType) => ({ name, type });
const many = (name: string, type: FieldType) => ({ name, type, repeated: true });
const either = (oneOf: string, name: string, type: FieldType) => ({ name, type, oneOf });

const text = message('AnyValue', { 1: one('string_value', 'string') });
const anyValue = message('AnyValue', {
  1: either('value', 'string_value', 'string'),
  2: either('value', 'bool_value', 'bool'),
  3: either('value', 'int_value', 'int64'),
  4: either('value', 'double_value', 'double'),
  5: either('value', 'array_value', message('ArrayValue', { 1: many('values', text) })),
});
const keyValue = message('KeyValue', { 1: one('key', 'string'), 2: one('value', anyValue) });
const point = message('NumberDataPoint', {
  2: one('start_time_unix_nano', 'fixed64'),
  3: one('time_unix_nano', 'fixed64'),
  4: either('value', 'as_double', 'double'),
  6: either('value', 'as_int', 'sfixed64'),
  7: many('attributes', keyValue),
  8: one('flags', 'uint32'),
});
const gauge = message('Gauge', { 1: many('data_points', point) });
const sum = message('Sum', {
  1: many('data_points', point),
  2: one('aggregation_temporality', 'uint32'),
  3: one('is_monotonic', 'bool'),
});
const metric = message('Metric', {
  1: one('name', 'string'),
  3: one('unit', 'string'),
  5: either('data', 'gauge', gauge),
  7: either('data', 'sum', sum),
});
const scope = message('InstrumentationScope', { 1: one('name', 'string'), 2: one('version', 'string') });
const scopeMetrics = message('ScopeMetrics', { 1: one('scope', scope), 2: many('metrics', metric) });
const resource = message('Resource', { 1: many('attributes', keyValue) });

/** The parts of opentelemetry-proto's metrics.proto, common.proto and resource.proto that may be sent. */
export const exportRequest = message('ExportMetricsServiceRequest', {
  1: many(
    'resource_metrics',
    message('ResourceMetrics', { 1: one('resource', resource), 2: many('scope_metrics', scopeMetrics) }),
  ),
});

const logRecord = message('LogRecord', {
  1: one('time_unix_nano', 'fixed64'),
  2: one('severity_number', 'uint32'),
  3: one('severity_text', 'string'),
  5: one('body', anyValue),
  6: many('attributes', keyValue),
  11: one('observed_time_unix_nano', 'fixed64'),
  12: one('event_name', 'string'),
});
const scopeLogs = message('ScopeLogs', { 1: one('scope', scope), 2: many('log_records', logRecord) });

/** The parts of opentelemetry-proto's logs.proto that may be sent. */
export const logsRequest = message('ExportLogsServiceRequest', {
  1: many(
    'resource_logs',
    message('ResourceLogs', { 1: one('resource', resource), 2: many('scope_logs', scopeLogs) }),
  ),
});

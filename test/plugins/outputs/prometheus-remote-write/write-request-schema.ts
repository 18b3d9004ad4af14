import type { FieldType, MessageSchema } from '../support/protobuf-reader.ts';

const message = (name: string, fields: MessageSchema['fields']): MessageSchema => ({ name, fields });
const one = (name: string, type: FieldType) => ({ name, type });
const many = (name: string, type: FieldType) => ({ name, type, repeated: true });

const label = message('Label', { 1: one('name', 'string'), 2: one('value', 'string') });
const sample1 = message('Sample', { 1: one('value', 'double'), 2: one('timestamp', 'int64') });

const metricMetadata = message('MetricMetadata', {
  1: one('type', 'uint32'),
  2: one('metric_family_name', 'string'),
  4: one('help', 'string'),
  5: one('unit', 'string'),
});

/** https://prometheus.io/docs/specs/prw/remote_write_spec/; metadata as in Prometheus' own types.proto. */
export const writeRequest1 = message('WriteRequest', {
  1: many('timeseries', message('TimeSeries', { 1: many('labels', label), 2: many('samples', sample1) })),
  3: many('metadata', metricMetadata),
});

const sample2 = message('Sample', {
  1: one('value', 'double'),
  2: one('timestamp', 'int64'),
  3: one('start_timestamp', 'int64'),
});
const metadata = message('Metadata', {
  1: one('type', 'uint32'),
  3: one('help_ref', 'uint32'),
  4: one('unit_ref', 'uint32'),
});

/** https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/ */
export const writeRequest2 = message('Request', {
  4: many('symbols', 'string'),
  5: many(
    'timeseries',
    message('TimeSeries', {
      1: one('labels_refs', 'packed uint32'),
      2: many('samples', sample2),
      5: one('metadata', metadata),
    }),
  ),
});

import type { ColumnDraft } from '../group-draft.ts';

/** How Kentik and Datadog name the form of a value. */
export const formats: Readonly<Record<string, string>> = {
  hwaddr: 'MacAddressNoSuffix',
  mac_address: 'MacAddressNoSuffix',
  hextoip: 'IpAddressNoSuffix',
  ip_address: 'IpAddressNoSuffix',
  hex: 'OctetString',
  snmp_dateandtime: 'DateAndTime',
  to_one: 'DisplayString',
};

export const metricTypes: Readonly<Record<string, Pick<ColumnDraft, 'metric'> | string>> = {
  gauge: { metric: 'gauge' },
  counter: { metric: 'counter' },
  rate: { metric: 'counter' },
  monotonic_count: { metric: 'counter' },
  monotonic_count_and_rate: { metric: 'counter' },
  percent: { metric: 'counter' },
  flag_stream: 'A single flag of a text cannot be a metric. The whole text is kept.',
};

export const symbolKeys = new Set([
  'name',
  'OID',
  'oid',
  'tag',
  'enum',
  'mapping',
  'conversion',
  'format',
  'description',
  'chart_meta',
  'scale_factor',
  'metric_type',
]);

const partOfText = 'The whole text is kept. Number or part have to be taken from it later.';
export const symbolReasons: Readonly<Record<string, string>> = {
  poll_time_sec: 'An object has one interval: write another `type` for it.',
  condition: 'All rows are polled. Leave out rows where the values are used.',
  match_attributes: 'All rows are polled. Leave out rows where the values are used.',
  script: 'Values are not computed by scripts.',
  transform: 'Values are not computed by templates.',
  allow_duplicate: 'Not needed: each attribute has a field of its own.',
  extract_value: partOfText,
  match_pattern: partOfText,
  match_value: partOfText,
  constant_value_one: 'A row has its labels without a value of 1.',
  mapping_ref: 'The list of names is not in the file: the label is the number.',
};

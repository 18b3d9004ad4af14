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

export const metricKeys = new Set([
  'MIB',
  'table',
  'symbol',
  'symbols',
  'metric_tags',
  'OID',
  'name',
  'metric_type',
  'forced_type',
]);
export const metricReasons: Readonly<Record<string, string>> = {
  walk_full_table: 'Not needed: only the columns with attributes are requested.',
  is_interface: 'Not needed: interfaces are recognised by their index.',
  options: 'Options of a metric have no counterpart.',
  static_tags: 'Write tags for the devices of the group.',
};

export const profileKeys = new Set([
  'extends',
  'sysobjectid',
  'sysObjectID',
  'selector',
  'metrics',
  'metric_tags',
]);
const notPolled =
  'Facts about devices are not read from profiles. Add attributes for the columns that you need.';
export const profileReasons: Readonly<Record<string, string>> = {
  provider: 'Devices have no provider: write tags for the devices of the group.',
  matches: 'The sysDescr does not choose a profile: write `device_groups` for these devices.',
  device: 'Write tags for the devices of the group.',
  metadata: notPolled,
  sysobjectid_metadata: notPolled,
  traps: 'Traps are not received.',
  mibs: 'Not needed: the OIDs are in the profile.',
  no_use_bulkwalkall: 'Not needed: what a device can answer is learned.',
  static_tags: 'Write tags for the devices of the group.',
  topology: 'Links between devices are not computed.',
  virtual_metrics: 'Metrics are not computed from others.',
  bgp: 'The layout of this section is not known. Ordinary tables are.',
  licensing: 'The layout of this section is not known. Ordinary tables are.',
};

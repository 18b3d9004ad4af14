const metricKeys = new Set([
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
const metricReasons: Readonly<Record<string, string>> = {
  walk_full_table: 'Not needed: only the columns with attributes are requested.',
  is_interface: 'Not needed: interfaces are recognised by their index.',
  options: 'Options of a metric have no counterpart.',
  static_tags: 'Write tags for the devices of the group.',
};

const profileKeys = new Set(['extends', 'sysobjectid', 'sysObjectID', 'selector', 'metrics', 'metric_tags']);
const notPolled =
  'Facts about devices are not read from profiles. Add attributes for the columns that you need.';
const profileReasons: Readonly<Record<string, string>> = {
  provider: 'Devices have no provider: write tags for the devices of the group.',
  matches: 'The sysDescr does not choose a profile: write `device_groups` for these devices.',
  device: 'Write tags for the devices of the group.',
  metadata: notPolled,
  sysobjectid_metadata: notPolled,
  traps:
    'The plugin snmp-traps receives notifications. Their definitions are written by `waywiser mib draft`.',
  mibs: 'Not needed: the OIDs are in the profile.',
  no_use_bulkwalkall: 'Not needed: what a device can answer is learned.',
  static_tags: 'Write tags for the devices of the group.',
  topology: 'Links between devices are not computed.',
  virtual_metrics: 'Metrics are not computed from others.',
  bgp: 'The layout of this section is not known. Ordinary tables are.',
  licensing: 'The layout of this section is not known. Ordinary tables are.',
};

/** The keys of a profile that are read, and why others are not. */
export const profileWords = { known: profileKeys, reasons: profileReasons };
/** The same of a member of `metrics`. */
export const metricWords = { known: metricKeys, reasons: metricReasons };
/** The same of the parts of a profile that have few keys. */
export const partWords = {
  table: {
    known: new Set(['OID', 'oid', 'name', 'MIB']),
    reasons: { description: 'Tables have no description: their attributes have.' },
  },
  range: { known: new Set(['start', 'end', 'drop_right']) },
  selector: { known: new Set(['sysobjectid']), reasons: { sysdescr: profileReasons['matches']! } },
  sysObjectIds: {
    known: new Set(['include']),
    reasons: {
      exclude:
        'The longest sysObjectID that fits chooses the device group: give the others a group of their own.',
    },
  },
};

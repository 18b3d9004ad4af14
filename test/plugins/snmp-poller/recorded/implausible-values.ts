import type { ShownRecord, ShownRow } from './shown-records.ts';

/** What a value of a class can be in a working network, in the unit of its class: wide, so that only mistakes are outside. */
const ranges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  temperature: [-60, 200],
  voltage: [-1000, 1000],
  current: [-1000, 5000],
  power: [-100, 1_000_000],
  apparent_power: [0, 1_000_000],
  power_factor: [-1, 1],
  energy: [0, 1e16],
  fan_speed: [0, 60_000],
  fan_level: [0, 100],
  humidity: [0, 100],
  load: [0, 200],
  charge: [0, 100],
  level: [0, 100],
  // A radio channel of 12.5 kHz without any signal has -133 dBm of noise.
  signal: [-135, 30],
  snr: [-50, 100],
  gain: [-100, 100],
  runtime: [0, 10_000_000_000],
  delay: [0, 100_000_000_000],
  pressure: [0, 10_000_000],
  airflow: [0, 1000],
  error_ratio: [0, 1],
  distance: [0, 10_000_000],
  count: [0, 4_000_000_000],
};

/** The same for fields of radios. */
const radioRanges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  'radio.rate.rx': [0, 50e9],
  'radio.rate.tx': [0, 50e9],
  'radio.capacity': [0, 50e9],
  'radio.frequency': [0, 100e9],
  'radio.width': [0, 5e9],
  // -99 is a transmitter that is off.
  'radio.power.tx': [-100, 60],
  'radio.signal': [-135, 30],
  'radio.noise': [-135, 30],
  'radio.snr': [-50, 100],
  'radio.distance': [0, 500_000],
};

/** What the agents of devices get wrong, by the start of the line. */
const excused: readonly string[] = [
  // Of a file system beyond 2^31 units.
  'isilon-onefs storage.',
  // The snapshots of a volume without a reserve for them.
  'netapp-fas3270 storage.used',
  // Memory that is shared, of none in all.
  'chatsworth-pdu storage.used',
  // Negative speeds.
  'arista-mos_metamux48-c-0-16 lmFanSensorsValue',
  // A module with limits that its maker did not set.
  'zynos_xgs1935 zyTransceiverDdmiValueCurrent',
];

/** The values of a device that nothing can have, as sentences. */
export function listImplausible(device: string, records: readonly ShownRecord[]): string[] {
  const sentences = records.flatMap(({ title, rows }) => {
    const [record = ''] = title.split(' ');
    return rows.flatMap((row) => (checks[record] ?? checkUsage)(row, record));
  });
  return sentences
    .map((sentence) => `${device} ${sentence}`)
    .filter((sentence) => !excused.some((start) => sentence.startsWith(start)));
}

const checks: Readonly<Record<string, (row: ShownRow) => string[]>> = {
  sensor: checkSensor,
  radio: checkRadio,
};

function checkRadio({ labels, values }: ShownRow): string[] {
  return Object.entries(radioRanges).flatMap(([field, [low, high]]) => {
    const value = numberOf(values[field]);
    if (value === undefined || (value >= low && value <= high)) return [];
    return [`${field} is ${value} (${labels['radio.id']})`];
  });
}

function checkSensor({ labels, values }: ShownRow): string[] {
  const kind = labels['sensor.class'] ?? '';
  const [attribute] = (labels['sensor.id'] ?? '').split('.');
  const value = numberOf(values['sensor.value']);
  const [low, high] = ranges[kind] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const problems: string[] = [];
  if (value !== undefined && (value < low || value > high))
    problems.push(`${attribute} ${kind} is ${value} (${labels['sensor.name']})`);
  if (
    kind === 'frequency' &&
    labels['sensor.direction'] !== undefined &&
    isMains(labels) &&
    value !== undefined
  )
    if (value !== 0 && (value < 40 || value > 70)) problems.push(`${attribute} mains frequency is ${value}`);
  const limits = ['low.critical', 'low.warning', 'high.warning', 'high.critical'].flatMap((limit) => {
    const number = numberOf(values[`sensor.${limit}`]);
    return number === undefined ? [] : [number];
  });
  if (limits.some((limit, i) => i > 0 && limit < limits[i - 1]!))
    problems.push(`${attribute} ${kind} has limits out of order: ${limits.join(', ')}`);
  return problems;
}

function isMains(labels: ShownRow['labels']): boolean {
  return ['ups', 'phase', 'outlet', 'supply'].includes(labels['sensor.part'] ?? '');
}

/** Processors, memory, storage: parts of a whole. */
function checkUsage({ labels, values }: ShownRow, record: string): string[] {
  if (record.includes('::')) return [];
  const name = labels[`${record}.name`] ?? labels[`${record}.id`];
  const problems = Object.entries(values).flatMap(([field, text]) => {
    const value = numberOf(text);
    if (value === undefined) return [];
    if (/\.(usage|level|utilization|quality)$/.test(field) && (value < 0 || value > 100.1))
      return [`${field} is ${value} (${name})`];
    return value < 0 && /\.(used|free|size|clients)$/.test(field) ? [`${field} is ${value} (${name})`] : [];
  });
  const [used, size] = ['used', 'size'].map((part) => numberOf(values[`${record}.${part}`]));
  if (used !== undefined && size !== undefined && used > 1.001 * size)
    problems.push(`${record}.used is ${used} of ${size} (${name})`);
  return problems;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { wordFinder } from '../src/definitions/keywords/by-text.ts';
import type { RawAttribute, RawObject } from '../src/definitions/schema/raw-definitions.ts';
import { createDecoder } from '../src/definitions/syntax/decode/column-decoder.ts';
import { findSyntax } from '../src/definitions/syntax/syntax-table.ts';
import { sensorClasses } from '../src/definitions/vocabulary/sensor-classes.ts';
import { gapCode } from '../src/model/gap.ts';
import { normalizeOid } from '../src/model/oid.ts';
import { type RecordedColumn, readRecordedColumns } from '../test/shipped/recorded-columns.ts';
import { loadShippedDefinitions } from '../test/shipped/shipped.ts';

// npm run values [-- --only NAME --class CLASS OID…]: compares the values of the shipped definitions with
// those that another system shows for the same recordings (../shared/parity/expected.json), and prints each difference and the
// share of equal values by class. Where ours differs and a rule of this file says why it is right, it counts separately. It decodes the recordings in this process, with the syntaxes and scales of the definitions.
const parity = fileURLToPath(new URL('../../shared/parity/', import.meta.url));
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const only = option('--only');
const wantedClass = option('--class');
const prefixes = argv.slice(2).filter((word) => /^[\d.]+$/.test(word));

/** What one of our values is in the unit of the other system; 1 where both are equal. */
const theirs: Readonly<Record<string, number>> = {
  runtime: 1 / 60_000,
  delay: 1 / 1000,
  pressure: 1 / 1000,
  power_consumed: 1 / 3_600_000,
  airflow: 2118.88,
  'wireless frequency': 1 / 1_000_000,
  'wireless distance': 1 / 1000,
};

/** Where our value differs and is right. Each rule looks only at the value, what the device sends and what the definition says. */
const differenceRules: readonly {
  readonly says: string;
  readonly holds: (own: OwnValue, kind: string, value: number) => boolean;
}[] = [
  {
    says: 'the recording lacks the column with the unit or the scale',
    holds: ({ value }) => value === 'not recorded',
  },
  {
    says: 'the device says that there is no value',
    holds: ({ value }) => value === 'absent',
  },
  {
    says: 'theirs leaves out a column of the row that has the unit or the scale',
    holds: ({ isScaledByRow, plain, raw }, _, value) =>
      isScaledByRow && (isClose(plain, value) || isClose(raw, value)),
  },
  {
    says: 'theirs is in milliamperes: SFF-8472 ends the bias current of a laser at 131 mA',
    holds: ({ value, attribute }, kind, theirValue) =>
      kind === 'current' &&
      attribute.sensor?.part === 'transceiver' &&
      theirValue > 0.131 &&
      typeof value === 'number' &&
      value <= 0.131 &&
      isClose(10 ** Math.round(Math.log10(theirValue / value)) * value, theirValue),
  },
  {
    says: 'theirs is the number as it is sent, without the prefix of its unit',
    holds: ({ value, raw, attribute }, _, theirValue) =>
      typeof value === 'number' &&
      prefixed.test(attribute.syntax) &&
      isClose(raw, theirValue) &&
      !isClose(value, theirValue),
  },
  {
    says: 'theirs is in milliwatts',
    holds: ({ value, attribute }, kind, theirValue) =>
      kind === 'dbm' &&
      attribute.syntax === 'SignalMilliWatt' &&
      typeof value === 'number' &&
      isClose(10 ** (value / 10), theirValue),
  },
  {
    says: 'theirs shows the number of a channel as its frequency',
    holds: ({ attribute }, kind) => kind === 'wireless frequency' && /channel/.test(attribute.name ?? ''),
  },
];

/** Syntaxes whose unit has a prefix that the MIB states. */
const prefixed =
  /^(Bandwidth[KMG]|Freq[KMG]|Bytes[KMG]|Power(Kilo|Milli)|Length(Kilo|Milli)|\w+(Deci|Centi|Milli)(?!Sec))/;

interface Column {
  readonly name: string;
  readonly attribute: RawAttribute;
  readonly object: RawObject;
}

const { raw: definitions } = loadShippedDefinitions();
const columns = new Map<string, Column>();
for (const [id, object] of definitions.objects)
  for (const [name, attribute] of Object.entries(object.attributes)) {
    const oid = normalizeOid(attribute.oid)!;
    const before = columns.get(oid);
    if (before === undefined || (!isValue(before.attribute) && isValue(attribute)))
      columns.set(oid, { name: `${id}/${name}`, attribute, object });
  }

function isValue({ sensor, name }: RawAttribute): boolean {
  return sensor !== undefined || name !== undefined;
}

type Expected = readonly [kind: string, oid: string, value: number | string | null];
const expected = JSON.parse(readFileSync(join(parity, 'expected.json'), 'utf8')) as Record<
  string,
  Expected[]
>;
const tallies = new Map<string, { equal: number; all: number; rules: number }>();
const ruleCounts = new Map<string, number>();

for (const [recording, values] of Object.entries(expected)) {
  if (only !== undefined && !recording.includes(only)) continue;
  const asked = values.flatMap(([kind, oid, value]) => {
    if (value === null || (wantedClass !== undefined && kind !== wantedClass)) return [];
    if (prefixes.length > 0 && !prefixes.some((prefix) => oid.startsWith(prefix))) return [];
    const column = findColumn(oid);
    return column === undefined ? [] : [{ kind, oid, column, value: Number(value) }];
  });
  if (asked.length === 0) continue;
  const needed = new Set(asked.flatMap(({ column }) => listNeeded(column)));
  try {
    const path = join(parity, 'recordings', `${recording}.snmprec.gz`);
    const recorded = await readRecordedColumns(path, needed);
    for (const { kind, oid, column, value } of asked) compare(recording, kind, oid, column, value, recorded);
  } catch (error) {
    console.log(`${recording}: ${error instanceof Error ? error.message : error}`);
  }
}
for (const [kind, { equal, all, rules }] of [...tallies].sort((a, b) => b[1].all - a[1].all))
  console.log(`${kind.padEnd(24)} ${equal} of ${all} (${percent(equal, all)}), and ${rules} by a rule`);
for (const [rule, count] of ruleCounts) console.log(`${count} where ${rule}`);
const total = { equal: 0, all: 0, rules: 0 };
for (const { equal, all, rules } of tallies.values()) {
  total.equal += equal;
  total.all += all;
  total.rules += rules;
}
const { equal, all, rules } = total;
console.log(
  `${equal} of ${all} values are equal (${percent(equal, all)}). In ${rules} a rule says why ours is right (${percent(equal + rules, all)} with them).`,
);

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function compare(
  recording: string,
  kind: string,
  oid: string,
  column: string,
  value: number,
  recorded: ReadonlyMap<string, RecordedColumn>,
): void {
  const { name, attribute, object } = columns.get(column)!;
  const instance = oid.slice(column.length + 1);
  const own = readValue(attribute, object, instance, recorded, kind);
  if (own === undefined) return;
  const tally = tallies.get(kind) ?? { equal: 0, all: 0, rules: 0 };
  tallies.set(kind, tally);
  tally.all++;
  if (typeof own.value === 'number' && wordings(own, kind).some((shown) => isClose(shown, value))) {
    tally.equal++;
    return;
  }
  const rule = differenceRules.find(({ holds }) => holds(own, kind, value))?.says;
  if (rule !== undefined) {
    tally.rules++;
    ruleCounts.set(rule, (ruleCounts.get(rule) ?? 0) + 1);
  }
  const shown = typeof own.value === 'number' ? own.value * (theirs[kind] ?? 1) : own.value;
  const because = rule === undefined ? '' : ` (${rule})`;
  console.log(`${recording} ${kind} ${oid} ${name}: ${shown}, not ${value}${because}`);
}

/** Our value, with what the rules look at. */
interface OwnValue {
  /** In its unit, the number of a state, or why there is none. */
  readonly value: number | 'absent' | 'not read' | 'not recorded';
  /** As the device sends it. */
  readonly raw: number;
  /** As the syntax reads it, before the columns of the row scale it. */
  readonly plain: number;
  readonly attribute: RawAttribute;
  readonly unit: string | undefined;
  /** Of a tray of paper. */
  readonly capacity: number | undefined;
  /** Whether columns of the row scale it or say its unit. */
  readonly isScaledByRow: boolean;
}

/** The same quantity as the other system may show it. */
function wordings({ value, unit, attribute, capacity }: OwnValue, kind: string): readonly number[] {
  const own = (value as number) * (theirs[kind] ?? 1);
  const { class: kindOf } = attribute.sensor ?? {};
  if (capacity !== undefined) return [own, (100 * own) / capacity];
  if (kind === 'dbm' && unit === 'W') return [own, 10 * Math.log10((value as number) * 1000)];
  if (kind === 'power' && unit === 'dBm') return [10 ** ((value as number) / 10) / 1000];
  if (kindOf === 'power_factor' || (unit === '1' && kind === 'percent')) return [own, 100 * own];
  return [own];
}

/** Equal within the rounding of the other one. */
function isClose(own: number, value: number): boolean {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Math.abs(own - value) <= Math.max(0.500001 * 10 ** -decimals, 0.001 * Math.abs(value));
}

/** Undefined where it is text and so cannot be compared. */
function readValue(
  attribute: RawAttribute,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
  kind: string,
): OwnValue | undefined {
  const column = normalizeOid(attribute.oid)!;
  const found = recorded.get(column);
  const row = found === undefined ? -1 : found.instances.findIndex((arcs) => arcs.join('.') === instance);
  if (found === undefined || row < 0) return undefined;
  const raw = integerAt(found, row);
  const { divisor, times, prefix, unit } = attribute.scale ?? {};
  const rest = {
    raw,
    plain: raw,
    attribute,
    unit: unitOf(attribute, object, instance, recorded),
    capacity: capacityOf(attribute, object, instance, recorded),
    isScaledByRow: [divisor, times, prefix, unit].some((part) => part !== undefined),
  };
  if (attribute.missing?.some((missing) => String(missing) === String(raw)))
    return { ...rest, value: 'absent' };
  if (kind === 'state') return Number.isNaN(raw) ? undefined : { ...rest, value: raw };
  const gaps = new Uint8Array(found.raw.count);
  const decoded = createDecoder(findSyntax(attribute.syntax)!, { oids: definitions.oidEnums }).decode(
    found.raw,
    gaps,
  );
  if (gaps[row] !== 0) return { ...rest, value: gaps[row] === gapCode('decode') ? 'not read' : 'absent' };
  if (decoded?.kind === 'counter') return { ...rest, value: raw };
  if (decoded?.kind !== 'number') return Number.isNaN(raw) ? undefined : { ...rest, value: raw };
  const plain = decoded.values[row]!;
  const value = scale(plain, attribute, object, instance, recorded);
  return { ...rest, plain, value: Number.isNaN(value) ? 'not recorded' : value };
}

/** The unit of a value: that of the class of its row, else that of its syntax. */
function unitOf(
  { sensor, syntax, unit }: RawAttribute,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
): string | undefined {
  if (sensor === undefined) return unit ?? findSyntax(syntax)?.unit;
  const { class: kind } = sensor;
  const name =
    typeof kind === 'string' ? kind : wordFinder(kind)(wordAt(kind.of, object, instance, recorded) ?? '');
  return name && (sensorClasses[name] as { readonly unit?: string }).unit;
}

/** What the paper of a tray is a part of: the other system shows percentages. */
function capacityOf(
  { name }: RawAttribute,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
): number | undefined {
  if (name !== 'printer.input.level') return undefined;
  const size = Object.entries(object.attributes).find(([, other]) => other.name === 'printer.input.capacity');
  return size && Number(wordAt(size[0], object, instance, recorded));
}

function scale(
  value: number,
  { scale }: RawAttribute,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
): number {
  if (scale === undefined) return value;
  const at = (name: string) => Number(wordAt(name, object, instance, recorded));
  const { factor = 1, offset = 0, prefix, precision, divisor, times, unit } = scale;
  let scaled = value * factor;
  if (prefix !== undefined) scaled *= 10 ** (3 * (at(prefix) - 9));
  if (precision !== undefined) scaled /= 10 ** Math.max(at(precision), 0);
  if (divisor !== undefined) scaled /= at(divisor);
  if (times !== undefined) scaled *= at(times);
  scaled += offset;
  if (unit === undefined) return scaled;
  const word = wordAt(unit.of, object, instance, recorded);
  const of = word === undefined ? undefined : wordFinder(unit)(word);
  if (of === undefined) return Number.NaN;
  if (of === 'fahrenheit') return ((scaled - 32) * 5) / 9;
  if (of === 'kelvin') return scaled - 273.15;
  return typeof of === 'number' ? scaled * of : scaled;
}

/** What another column of the row holds: a number as text, or its text. */
function wordAt(
  name: string,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
): string | undefined {
  const other = findAttribute(object, name);
  const found = other && recorded.get(normalizeOid(other.oid)!);
  const row = found?.instances.findIndex((arcs) => arcs.join('.') === instance) ?? -1;
  if (found === undefined || row < 0) return undefined;
  const octets = found.raw.octets[row];
  return octets === undefined ? String(integerAt(found, row)) : String(textOf(octets)).trim();
}

/** As a signed number; NaN for what is not a number. */
function integerAt({ raw: { words, tags, octets } }: RecordedColumn, row: number): number {
  if (octets[row] !== undefined) return Number(String(textOf(octets[row])).trim() || Number.NaN);
  if (tags[row] === 0x02) return words[2 * row]! | 0;
  return words[2 * row]! + words[2 * row + 1]! * 2 ** 32;
}

function textOf(octets: Uint8Array | string): string {
  return typeof octets === 'string' ? octets : Buffer.from(octets).toString('latin1');
}

function findAttribute(object: RawObject, name: string): RawAttribute | undefined {
  const own = object.attributes[name];
  if (own !== undefined || object.augments === undefined) return own;
  const base = definitions.objects.get(object.augments);
  return base && findAttribute(base, name);
}

/** The column and those of its row that say what its values are. */
function listNeeded(column: string): string[] {
  const { attribute, object } = columns.get(column)!;
  const { prefix, precision, divisor, times, unit } = attribute.scale ?? {};
  const kind = attribute.sensor?.class;
  const sizes = Object.keys(object.attributes).filter(
    (name) => object.attributes[name]!.name === 'printer.input.capacity',
  );
  const names = [prefix, precision, divisor, times, unit?.of, typeof kind === 'object' ? kind.of : undefined];
  return [
    column,
    ...[...names, ...sizes].flatMap((name) => {
      const other = name === undefined ? undefined : findAttribute(object, name);
      return other === undefined ? [] : [normalizeOid(other.oid)!];
    }),
  ];
}

function findColumn(oid: string): string | undefined {
  for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1))
    if (columns.has(oid.slice(0, end))) return oid.slice(0, end);
  return undefined;
}

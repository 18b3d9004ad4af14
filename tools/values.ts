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
import { type Difference, explainDifference } from './values/differences.ts';
import { isClose, type OwnValue, shownInTheirUnit, unitsOfTheirs } from './values/own-value.ts';

// npm run values [-- --only NAME --class CLASS OID…]: compares the values of the shipped definitions with
// those that another system shows for the same recordings (../shared/parity/expected.json), and prints each difference with its
// explanation (values/differences.ts) and the share of equal values by class. It decodes the recordings in this process, with the
// syntaxes and scales of the definitions.
const parity = fileURLToPath(new URL('../../shared/parity/', import.meta.url));
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const only = option('--only');
const wantedClass = option('--class');
const prefixes = argv.slice(2).filter((word) => /^[\d.]+$/.test(word));

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
type Verdict = 'equal' | 'unexplained' | Difference['kind'];
const tallies = new Map<string, Map<Verdict, number>>();
const explanations = new Map<string, number>();

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
const total = new Map<Verdict, number>();
for (const counts of tallies.values()) for (const [verdict, count] of counts) add(total, verdict, count);
for (const [kind, counts] of [...tallies].sort((a, b) => sum(b[1]) - sum(a[1]))) {
  const left = count(counts, 'unexplained');
  console.log(`${kind.padEnd(24)} ${describeShare(counts)}${left === 0 ? '' : `, ${left} unexplained`}`);
}
for (const [says, count] of explanations) console.log(`${count} where ${says}`);
console.log(
  `${describeShare(total)} values that both have are equal, ${count(total, 'unit')} of them in another unit. ${count(total, 'explained')} others are explained, ${count(total, 'unexplained')} are not. ${count(total, 'no value')} values are only theirs.`,
);

/** Of the values that both have. */
function describeShare(counts: ReadonlyMap<Verdict, number>): string {
  const equal = count(counts, 'equal') + count(counts, 'unit');
  const both = sum(counts) - count(counts, 'no value');
  return `${equal} of ${both} (${both === 0 ? 100 : ((100 * equal) / both).toFixed(1)} %)`;
}

function count(counts: ReadonlyMap<Verdict, number>, verdict: Verdict): number {
  return counts.get(verdict) ?? 0;
}

function sum(counts: ReadonlyMap<Verdict, number>): number {
  return [...counts.values()].reduce((a, b) => a + b, 0);
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
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
  const counts = tallies.get(kind) ?? new Map<Verdict, number>();
  tallies.set(kind, counts);
  if (shownInTheirUnit(own, kind).some((shown) => isClose(shown, value))) {
    add(counts, 'equal', 1);
    return;
  }
  const difference = explainDifference(own, kind, value, name);
  add(counts, difference?.kind ?? 'unexplained', 1);
  if (difference !== undefined) add(explanations, difference.says, 1);
  const shown = typeof own.value === 'number' ? own.value * (unitsOfTheirs[kind] ?? 1) : own.value;
  const because = difference === undefined ? '' : ` (${difference.says})`;
  console.log(`${recording} ${kind} ${oid} ${name}: ${shown}, not ${value}${because}`);
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

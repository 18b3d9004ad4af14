import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { wordFinder } from '../src/definitions/keywords/by-text.ts';
import type { RawAttribute, RawObject } from '../src/definitions/schema/raw-definitions.ts';
import { createDecoder } from '../src/definitions/syntax/decode/column-decoder.ts';
import { findSyntax } from '../src/definitions/syntax/syntax-table.ts';
import { gapCode } from '../src/model/gap.ts';
import { normalizeOid } from '../src/model/oid.ts';
import { type RecordedColumn, readRecordedColumns } from '../test/shipped/recorded-columns.ts';
import { loadShippedDefinitions } from '../test/shipped/shipped.ts';

// npm run values [-- --only NAME --class CLASS OID…]: compares the values of the shipped definitions with
// those that another system shows for the same recordings (../shared/parity/expected.json), and prints each difference and the
// share of equal values by class. It decodes the recordings in this process, with the syntaxes and scales of the definitions.
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

interface Column {
  readonly name: string;
  readonly attribute: RawAttribute;
  readonly object: RawObject;
}

const { raw } = loadShippedDefinitions();
const columns = new Map<string, Column>();
for (const [id, object] of raw.objects)
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
const tallies = new Map<string, { equal: number; all: number }>();

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
for (const [kind, { equal, all }] of [...tallies].sort((a, b) => b[1].all - a[1].all))
  console.log(`${kind.padEnd(24)} ${equal} of ${all} (${((100 * equal) / all).toFixed(1)} %)`);
const total = { equal: 0, all: 0 };
for (const { equal, all } of tallies.values()) {
  total.equal += equal;
  total.all += all;
}
console.log(
  `${total.equal} of ${total.all} values are equal (${((100 * total.equal) / total.all).toFixed(1)} %)`,
);

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
  const own = readValue(attribute, object, instance, recorded, kind === 'state');
  if (own === undefined) return;
  const tally = tallies.get(kind) ?? { equal: 0, all: 0 };
  tallies.set(kind, tally);
  tally.all++;
  const shown = typeof own === 'number' ? own * (theirs[kind] ?? 1) : own;
  if (typeof shown === 'number' && isClose(shown, value)) tally.equal++;
  else console.log(`${recording} ${kind} ${oid} ${name}: ${shown}, not ${value}`);
}

/** Equal within the rounding of the other one. */
function isClose(own: number, value: number): boolean {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Math.abs(own - value) <= Math.max(0.500001 * 10 ** -decimals, 0.001 * Math.abs(value));
}

/** The value in its unit, the number of a state, or why there is none; undefined where it is text and so cannot be compared. */
function readValue(
  attribute: RawAttribute,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
  isState: boolean,
): number | string | undefined {
  const column = normalizeOid(attribute.oid)!;
  const found = recorded.get(column);
  const row = found === undefined ? -1 : found.instances.findIndex((arcs) => arcs.join('.') === instance);
  if (found === undefined || row < 0) return undefined;
  const number = integerAt(found, row);
  if (attribute.missing?.some((missing) => String(missing) === String(number))) return 'absent';
  if (isState) return Number.isNaN(number) ? undefined : number;
  const gaps = new Uint8Array(found.raw.count);
  const decoded = createDecoder(findSyntax(attribute.syntax)!, { oids: raw.oidEnums }).decode(
    found.raw,
    gaps,
  );
  if (gaps[row] !== 0) return gaps[row] === gapCode('decode') ? 'not read' : 'absent';
  if (decoded?.kind === 'counter') return number;
  if (decoded?.kind !== 'number') return Number.isNaN(number) ? undefined : number;
  return scale(decoded.values[row]!, attribute, object, instance, recorded);
}

function scale(
  value: number,
  { scale }: RawAttribute,
  object: RawObject,
  instance: string,
  recorded: ReadonlyMap<string, RecordedColumn>,
): number {
  if (scale === undefined) return value;
  const cellOf = (name: string) => {
    const other = findAttribute(object, name);
    const found = other && recorded.get(normalizeOid(other.oid)!);
    const row = found?.instances.findIndex((arcs) => arcs.join('.') === instance) ?? -1;
    return found === undefined || row < 0 ? undefined : { found, row };
  };
  const at = (name: string) => {
    const cell = cellOf(name);
    return cell === undefined ? Number.NaN : integerAt(cell.found, cell.row);
  };
  const { factor = 1, offset = 0, prefix, precision, divisor, times, unit } = scale;
  let scaled = value * factor;
  if (prefix !== undefined) scaled *= 10 ** (3 * (at(prefix) - 9));
  if (precision !== undefined) scaled /= 10 ** Math.max(at(precision), 0);
  if (divisor !== undefined) scaled /= at(divisor);
  if (times !== undefined) scaled *= at(times);
  scaled += offset;
  if (unit === undefined) return scaled;
  const cell = cellOf(unit.of);
  const octets = cell?.found.raw.octets[cell.row];
  const of = wordFinder(unit)(octets === undefined ? at(unit.of) : String(textOf(octets)).trim());
  if (of === 'fahrenheit') return ((scaled - 32) * 5) / 9;
  if (of === 'kelvin') return scaled - 273.15;
  return typeof of === 'number' ? scaled * of : scaled;
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
  const base = raw.objects.get(object.augments);
  return base && findAttribute(base, name);
}

function listNeeded(column: string): string[] {
  const { attribute, object } = columns.get(column)!;
  const { prefix, precision, divisor, times, unit } = attribute.scale ?? {};
  return [
    column,
    ...[prefix, precision, divisor, times, unit?.of].flatMap((name) => {
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

import type { MibNode } from '../../mib/index.ts';
import { wordsOf } from './field-words.ts';

/** A unit without a syntax of its own, and what the number is multiplied by. */
interface SaidUnit {
  readonly unit: string;
  readonly factor: number;
}

/** What a description says, such as `in tenths of kVA`, and what `cps` at the end of a name stands for. */
export function saidUnitOf({ name, description = '' }: MibNode): SaidUnit | undefined {
  const words = wordsOf(name);
  if (words.at(-1) === 'cps') return { unit: '1/s', factor: 1 };
  const text = description.slice(0, 600).replace(/\s+/g, ' ');
  const [, power = '', said] =
    pattern.exec(text) ?? (/\bor\b/.test(text) ? null : inBrackets.exec(text)) ?? [];
  if (said === undefined) return words.includes('kva') ? { unit: 'VA', factor: 1_000 } : undefined;
  const [, unit, factor] = units.find(([words]) => words.test(said))!;
  const exponent =
    ['tenth', 'hundre', 'thousa'].findIndex((word) => power.toLowerCase().startsWith(word)) + 1;
  return { unit, factor: Number((factor * 10 ** -exponent).toPrecision(6)) };
}

/** Each as a whole, in the order in which they are looked for. */
const units: readonly (readonly [words: RegExp, unit: string, factor: number])[] = [
  [/^(?:kvar|kilo-?volt-?amps? reactive)$/i, 'var', 1_000],
  [/^kvah$/i, 'VAh', 1_000],
  [/^(?:kva|kilo-?volt-?amp(?:ere)?s?)$/i, 'VA', 1_000],
  [/^(?:vas?|volt-?amp(?:ere)?s?)$/i, 'VA', 1],
  [/^(?:kpa|kilo-?pascals?)$/i, 'Pa', 1_000],
  [/^(?:pa|pascals?)$/i, 'Pa', 1],
  [/^bars?$/i, 'bar', 1],
  [/^(?:psi|pounds per square inch)$/i, 'psi', 1],
  [/^(?:inches of water|inches water column|inwc)$/i, 'inH2O', 1],
  [/^(?:lit(?:er|re)s per second|l\/s)$/i, 'l/s', 1],
  [/^(?:lit(?:er|re)s per minute|l\/min)$/i, 'l/min', 1],
  [/^(?:cfm|cubic feet per minute)$/i, 'ft3/min', 1],
  [/^(?:gpm|gallons per minute)$/i, 'gal/min', 1],
  [/^met(?:er|re)s$/i, 'm', 1],
  [/^feet$/i, 'ft', 1],
  [/^months$/i, 'months', 1],
  [/^weeks$/i, 'weeks', 1],
  [/^(?:degrees )?kelvins?$/i, 'K', 1],
  [/^milli-?ohms?$/i, 'Ohm', 0.001],
  [/^ohms?$/i, 'Ohm', 1],
  [/^horse-?power$/i, 'hp', 1],
  [/^(?:micro-?siemens(?: per |\/)(?:cm|centimeter)|us\/cm)$/i, 'uS/cm', 1],
  [/^(?:rpm|(?:revolutions|rotations) per minute)$/i, 'rpm', 1],
  [/^ps\/nm$/i, 'ps/nm', 1],
  [/^(?:pps|packets per second)$/i, 'packets/s', 1],
  [/^(?:amp-?(?:ere)?[- ]?hours?|ah)$/i, 'Ah', 1],
];

const measure = `(tenths?|hundred?ths?|thousandths?)?(?: of)? ?(${units
  .map(([words]) => words.source.slice(1, -1))
  .join('|')})`;

const pattern = new RegExp(String.raw`\b(?:in|units?:?|units? (?:is|are)) ?(?:1 )?${measure}\b`, 'i');
const inBrackets = new RegExp(String.raw`\((?:in )?${measure}\)`, 'i');

/** The lines for people, without the question for a unit that another column tells: `analogUnits` beside `analogValue`. */
export function withUnitColumn(
  comments: readonly string[],
  { name }: MibNode,
  columns: readonly MibNode[],
): readonly string[] {
  const stem = name.replace(/[A-Z][a-z]*\d*$/, '');
  const names = [`${stem}Units`, `${stem}Unit`, `${stem}UnitOfMeasure`];
  const teller = columns.find((column) => column.type === 'OctetString' && names.includes(column.name));
  if (teller === undefined) return comments;
  return comments.map((line) =>
    line.startsWith('decide:') ? `${teller.name} tells the unit of ${name} for each row.` : line,
  );
}

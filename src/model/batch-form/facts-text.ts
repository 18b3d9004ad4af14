import type { ColumnFacts } from '../batch.ts';
import { BatchFault } from './batch-fault.ts';

/** What a batch keeps of the facts about a column. Descriptions are left out: they would be repeated in every batch. */
export function factsText({ names, isTime, derived, wrapsAt, marksReset }: ColumnFacts): string | undefined {
  const text = JSON.stringify({
    names: names && [...names],
    isTime: isTime || undefined,
    derived,
    wrapsAt,
    marksReset: marksReset || undefined,
  });
  return text === '{}' ? undefined : text;
}

export function readFacts(text: string): ColumnFacts {
  const { names, isTime, derived, wrapsAt, marksReset } = parse(text);
  const isNamed = (pair: unknown): pair is [number, string] =>
    Array.isArray(pair) && typeof pair[0] === 'number' && typeof pair[1] === 'string';
  const facts: { -readonly [Key in keyof ColumnFacts]: ColumnFacts[Key] } = {};
  if (Array.isArray(names))
    facts.names = new Map(names.filter(isNamed).map(([number, name]) => [number, name]));
  if (isTime === true) facts.isTime = true;
  if (derived === 'delta' || derived === 'rate') facts.derived = derived;
  if (typeof wrapsAt === 'number') facts.wrapsAt = wrapsAt;
  if (marksReset === true) facts.marksReset = true;
  return facts;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const facts: unknown = JSON.parse(text);
    if (typeof facts === 'object' && facts !== null) return facts as Readonly<Record<string, unknown>>;
  } catch {}
  throw new BatchFault('The facts about a column are not readable.');
}

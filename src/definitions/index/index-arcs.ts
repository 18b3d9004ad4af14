import type { IndexType, IndexValue } from './index-part.ts';

/**
 * Splits the arcs of an instance into values, one for each type, in order (RFC 2578 §7.7). Undefined when the arcs do not
 * fit the types: too few, too many, or an octet above 255.
 */
export function splitIndex(types: readonly IndexType[], arcs: readonly number[]): IndexValue[] | undefined {
  const values: IndexValue[] = [];
  let at = 0;
  for (const type of types) {
    const { length, prefix } = extentOf(type, arcs, at);
    const end = at + prefix + length;
    if (end > arcs.length) return undefined;
    const part = arcs.slice(at + prefix, end);
    if (holdsOctets(type) && part.some((arc) => arc > 255)) return undefined;
    values.push(isInteger(type) ? (part[0] ?? 0) : part);
    at = end;
  }
  return at === arcs.length ? values : undefined;
}

/**
 * The arcs of some parts of an instance, one after the other, with the lengths in front of those that have one: the instance of a table
 * whose index has only these parts. Undefined when the arcs do not fit the types.
 */
export function pickArcs(
  types: readonly IndexType[],
  arcs: readonly number[],
  parts: readonly number[],
): number[] | undefined {
  const starts: number[] = [0];
  for (const type of types) {
    const start = starts.at(-1)!;
    const { length, prefix } = extentOf(type, arcs, start);
    starts.push(start + prefix + length);
  }
  if (starts.at(-1) !== arcs.length) return undefined;
  return parts.flatMap((part) => arcs.slice(starts[part], starts[part + 1]));
}

/** Whether the type takes all remaining arcs, so that it must be the last. */
export function isImplied(type: IndexType): boolean {
  return type === 'ImplicitOctetString' || type === 'ImplicitObjectIdentifier';
}

export function isInteger(type: IndexType): boolean {
  return type === 'Integer' || type === 'Integer32' || type === 'Unsigned32';
}

function extentOf(type: IndexType, arcs: readonly number[], at: number): { length: number; prefix: 0 | 1 } {
  if (isInteger(type)) return { length: 1, prefix: 0 };
  if (type === 'IpAddress') return { length: 4, prefix: 0 };
  if (type === 'MacAddress') return { length: 6, prefix: 0 };
  if (isImplied(type)) return { length: arcs.length - at, prefix: 0 };
  return { length: arcs[at] ?? 0, prefix: 1 };
}

function holdsOctets(type: IndexType): boolean {
  return !isInteger(type) && type !== 'ObjectIdentifier' && type !== 'ImplicitObjectIdentifier';
}

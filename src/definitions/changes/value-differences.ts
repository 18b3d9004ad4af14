/** One value that differs, and where: keys and positions. Undefined on the side that lacks it. */
export interface ValueDifference {
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
}

/** What differs between two values of plain data and maps, whatever the order of keys; leaves only. */
export function listDifferences(
  before: unknown,
  after: unknown,
  path: ValueDifference['path'] = [],
): ValueDifference[] {
  if (before === after) return [];
  if (!isHolder(before) || !isHolder(after)) return [{ path, before, after }];
  const left = entriesOf(before);
  const right = entriesOf(after);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    listDifferences(left.get(key), right.get(key), [...path, key]),
  );
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function entriesOf(value: object): ReadonlyMap<string | number, unknown> {
  if (value instanceof Map) return value;
  return new Map<string | number, unknown>(Array.isArray(value) ? value.entries() : Object.entries(value));
}

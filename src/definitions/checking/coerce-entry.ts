import type { TSchema, TypeCheck } from '../../typebox.ts';
import { findNode, type PositionNode } from '../yaml/position-node.ts';
import { pathOfPointer } from './schema-problems.ts';

/**
 * Changes an entry that its schema refuses to what its author meant. Where the schema wants text, a number or a boolean
 * becomes the text as it is spelled. A key without a value becomes the empty list or map that it wants; any other one needs a value.
 */
export function coerceEntry(check: TypeCheck<TSchema>, entry: unknown, node: PositionNode): unknown {
  let coerced = 0;
  for (const { path: pointer, schema, value } of check.Errors(entry)) {
    if (coerced++ > maxCoerced) break;
    const path = pathOfPointer(pointer);
    const key = path.at(-1);
    const parent = valueAt(entry, path.slice(0, -1));
    if (key === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key))
      continue;
    const holder = parent as Record<string, unknown>;
    if (value === null && !Array.isArray(parent)) {
      if (schema['type'] === 'array') holder[key] = [];
      else if (schema['patternProperties'] !== undefined) holder[key] = {};
    } else if (schema['type'] === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
      const { node: at, depth } = findNode(node, path);
      if (depth === path.length && at.spelling !== undefined) holder[key] = at.spelling;
    }
  }
  return entry;
}

/** An entry with more faults is wrong, not only spelled another way. */
const maxCoerced = 1_000;

function valueAt(entry: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    entry,
  );
}

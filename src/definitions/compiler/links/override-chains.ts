import type { AttributeRef } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';
import type { UnlinkedObjects } from './unlinked-objects.ts';

/** Real chains have two or three members. */
const maxChain = 64;

/** What the attribute overrides: the one it names, what that one names, and so on. */
export function followOverrides(
  start: AttributeRef,
  objects: UnlinkedObjects,
  problems: ProblemList,
): AttributeRef[] {
  const chain: AttributeRef[] = [];
  let next = overridesOf(start, objects);
  for (; next !== undefined; next = overridesOf(next, objects)) {
    if (isSame(next, start) || chain.length === maxChain) {
      const message = isSame(next, start)
        ? `${[start, ...chain, start].map(nameOf).join(' → ')} is a circle, so none of them would be polled. Remove one of the overrides.`
        : `More than ${maxChain} attributes override each other in a chain. Let each of them override the last one.`;
      problems.add('overrides-circle', pathTo(start), message);
      return [];
    }
    if (chain.some((ref) => isSame(ref, next as AttributeRef))) return [];
    if (objects.get(next.object)?.attributes.has(next.attribute) !== true) {
      if (chain.length === 0) reportUnknown(start, next, objects, problems);
      return chain;
    }
    chain.push(next);
  }
  return chain;
}

function overridesOf(
  { object, attribute }: AttributeRef,
  objects: UnlinkedObjects,
): AttributeRef | undefined {
  const named = objects.get(object)?.attributes.get(attribute)?.overrides;
  return named && { object: named[0], attribute: named[1] };
}

function reportUnknown(
  start: AttributeRef,
  { object, attribute }: AttributeRef,
  objects: UnlinkedObjects,
  problems: ProblemList,
): void {
  const target = objects.get(object);
  const outcome = 'nothing is overridden';
  if (target === undefined) {
    problems.addUnknown([...pathTo(start), 'object'], 'object', object, outcome, objects);
  } else {
    const path = [...pathTo(start), 'attribute'] as const;
    problems.addUnknown(path, `attribute of “${object}” called`, attribute, outcome, target.attributes);
  }
}

function pathTo({ object, attribute }: AttributeRef) {
  return ['objects', object, 'attributes', attribute, 'overrides'] as const;
}

function isSame(left: AttributeRef, right: AttributeRef): boolean {
  return left.attribute === right.attribute && left.object === right.object;
}

function nameOf({ object, attribute }: AttributeRef): string {
  return `${object} ${attribute}`;
}

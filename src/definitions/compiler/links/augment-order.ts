import type { RawDefinitions } from '../../schema/raw-definitions.ts';
import type { ProblemList } from '../problem-list.ts';

/** The members of a circle that its message names. */
const maxShown = 8;

type Objects = RawDefinitions['objects'];

/**
 * The objects that have an index, their own or one that they share, each after the one that it augments. Objects in a
 * circle, objects that augment nothing, and all that augment these, are left out.
 */
export function orderByAugments(objects: Objects, problems: ProblemList): ReadonlySet<string> {
  const ordered = new Set<string>();
  const leftOut = new Set<string>();
  for (const start of objects.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && objects.has(id) && !path.has(id) && !ordered.has(id) && !leftOut.has(id)) {
      path.add(id);
      id = objects.get(id)?.augments;
    }
    if (id === undefined || ordered.has(id)) {
      for (const member of [...path].reverse()) ordered.add(member);
    } else {
      for (const member of path) leftOut.add(member);
      reportLeftOut([...path], id, objects, problems);
    }
  }
  return ordered;
}

/** `path` augments, one after the other, and comes to `end`: missing, left out before, or itself on the path. */
function reportLeftOut(path: readonly string[], end: string, objects: Objects, problems: ProblemList): void {
  const circleAt = path.indexOf(end);
  const circle = circleAt < 0 ? [] : path.slice(circleAt);
  const way = [...circle.slice(0, maxShown), circle.length > maxShown ? '…' : end].join(' → ');
  path.forEach((id, position) => {
    const next = path[position + 1] ?? end;
    if (circle.length > 0 && position >= circleAt) {
      const message = `${way} is a circle, so that no index can be found. Give one of them an index instead of augments.`;
      problems.add('augments-circle', ['objects', id, 'augments'], message);
    } else if (objects.has(next)) {
      const message = `“${id}” augments “${next}”, which is left out; so is this one.`;
      problems.add('unknown-reference', ['objects', id, 'augments'], message);
    } else {
      problems.addUnknown(['objects', id, 'augments'], 'object', next, 'this one is left out', objects);
    }
  });
}

import type { RawDefinitions } from '../../schema/raw-definitions.ts';
import type { ProblemList } from '../problem-list.ts';

/** The members of a circle that its message names. */
const maxShown = 8;

type Objects = RawDefinitions['objects'];

/**
 * The objects that have an index, their own or a shared one, each after the object that it augments. Leaves out objects in a
 * circle, objects that augment an unknown object, and all objects that augment these.
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

/** Each object of `path` augments the next, and the last one augments `end`, which is unknown, left out or on the path. */
function reportLeftOut(path: readonly string[], end: string, objects: Objects, problems: ProblemList): void {
  const circleAt = path.indexOf(end);
  const circle = circleAt < 0 ? [] : path.slice(circleAt);
  const shown = [...circle.slice(0, maxShown), circle.length > maxShown ? '…' : end].join(' → ');
  path.forEach((id, position) => {
    const next = path[position + 1] ?? end;
    if (circle.length > 0 && position >= circleAt) {
      const message = `${shown} is a circle, so none of them has an index. Give one of them an index instead of augments.`;
      problems.add('augments-circle', ['objects', id, 'augments'], message);
    } else if (objects.has(next)) {
      const message = `“${id}” augments “${next}”, which is left out, so “${id}” is left out too.`;
      problems.add('unknown-reference', ['objects', id, 'augments'], message);
    } else {
      problems.addUnknown(['objects', id, 'augments'], 'object', next, `“${id}” is left out`, objects);
    }
  });
}

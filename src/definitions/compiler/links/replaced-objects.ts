import type { ProblemList } from '../problem-list.ts';
import type { UnlinkedObjects } from './unlinked-objects.ts';

/** What an object replaces: the objects that it names, those that they name, and so on. Unknown ones are left out. Nothing in a circle. */
export function followReplacements(start: string, objects: UnlinkedObjects, problems: ProblemList): string[] {
  const found = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const [position, name] of (objects.get(id)?.replaces ?? []).entries()) {
      const path = ['objects', start, 'replaces'] as const;
      if (name === start) {
        const circle =
          id === start ? `“${start}” replaces itself` : `“${start}” and “${id}” replace each other`;
        problems.add(
          'replaces-circle',
          path,
          `${circle}, so neither would be collected. Remove one of the names.`,
        );
        return [];
      } else if (objects.has(name)) {
        if (!found.has(name)) open.push(name);
        found.add(name);
      } else if (id === start) {
        problems.addUnknown([...path, position], 'object', name, 'nothing is replaced', objects);
      }
    }
  }
  return [...found].sort();
}

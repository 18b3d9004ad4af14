import type { PollPlan, Read } from './poll-plan.ts';

/** Whether a plan reads a value that the plan before it did not read: another column, or another row of a column. */
export function readsMore({ reads }: PollPlan, before: PollPlan | undefined): boolean {
  if (before === undefined) return true;
  return reads.some((read) => {
    const covering = new Map<Read, boolean>();
    const isCovered = (earlier: Read): boolean => {
      const known = covering.get(earlier) ?? holdsAll(earlier.instances, read.instances);
      covering.set(earlier, known);
      return known;
    };
    return read.columns.some(
      (column) => !before.reads.some((earlier) => earlier.columns.includes(column) && isCovered(earlier)),
    );
  });
}

function holdsAll(known: readonly string[], wanted: readonly string[]): boolean {
  if (known === wanted) return true;
  if (known.length === wanted.length && wanted.every((instance, row) => instance === known[row])) return true;
  const all = new Set(known);
  return wanted.every((instance) => all.has(instance));
}

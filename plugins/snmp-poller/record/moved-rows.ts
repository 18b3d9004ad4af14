import type { MovedRow } from '../../../src/index.ts';
import type { RecordPlan } from '../plan/poll-plan.ts';

/** Where the rows of a record stood: the key of each instance. */
export interface RowPlaces {
  readonly keys: readonly string[];
  readonly instances: readonly string[];
}

/** Rows that are known by a name and stand elsewhere than before. */
export function findMovedRows(before: RowPlaces, now: RowPlaces): MovedRow[] {
  const places = new Map(before.keys.map((key, row) => [key, before.instances[row]!]));
  return now.keys.flatMap((key, row) => {
    const to = now.instances[row]!;
    const from = key === to ? undefined : places.get(key);
    return from === undefined || from === to ? [] : [{ key, from, to }];
  });
}

/** Whether each poll of the plan reads what names its rows; a plan that borrows names from another learns of moves late. */
export function readsNames({ labels }: RecordPlan): boolean {
  const best = Math.max(0, ...labels.map(({ naming }) => naming));
  return labels.some(({ naming, isForeign }) => naming > 0 && naming === best && !isForeign);
}

import { holdsValue, slotStatus } from '../../../src/snmp/index.ts';
import { type ColumnPlan, type ColumnSource, slotOf } from '../plan/poll-plan.ts';

/**
 * The sources of a column or a label with the rows that each of them writes after this poll: the best source with a value writes a
 * row. The best source decides about rows where none has a value, and where it was not asked. The rows of a source that another plan
 * emits are written by none.
 */
export function settleSources(
  { sources, isShared }: Pick<ColumnPlan, 'sources' | 'isShared'>,
  status: Uint8Array,
  count: number,
): readonly ColumnSource[] {
  if (!isShared) return sources;
  const slots = sources.map(() => new Int32Array(count).fill(-1));
  for (let row = 0; row < count; row++) {
    const writer = findWriter(sources, status, row);
    if (writer >= 0 && !sources[writer]!.isElsewhere) slots[writer]![row] = slotOf(sources[writer]!, row);
  }
  return sources.flatMap((source, i) => (source.isElsewhere ? [] : [{ ...source, slots: slots[i] }]));
}

function findWriter(sources: readonly ColumnSource[], status: Uint8Array, row: number): number {
  let first = -1;
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i]!;
    const slot = slotOf(source, row);
    if (slot < 0) continue;
    if (holdsValue(status[slot]!)) return i;
    if (status[slot] === slotStatus.pending && !source.isElsewhere) return i;
    if (first < 0 && !source.isElsewhere) first = i;
  }
  return first;
}

import type { MovedRow } from '../../../src/index.ts';
import type { RecordPlan } from '../plan/poll-plan.ts';
import type { AssembledRecord } from '../record/assembled-record.ts';
import type { RowPlaces } from '../record/record-memory.ts';
import type { DeviceState } from './device-state.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PlanMemory } from './plan-memory.ts';

/** Rows that one event lists. */
const maxListed = 100;

/** Remembers the instance of each row, and emits `device.renumbered` for rows whose instance changed. */
export function reportRenumbering(
  state: DeviceState,
  memory: PlanMemory,
  assembled: readonly AssembledRecord[],
  { events }: DeviceTools,
): void {
  for (const [position, record] of memory.records.entries()) {
    const { keys } = assembled[position]!.rows;
    const before = record.places;
    if (before?.keys === keys || !readsNames(record.plan)) continue;
    const now = { keys, instances: record.plan.instances };
    record.places = now;
    if (before === undefined) continue;
    const moved = findMovedRows(before, now);
    if (moved.length === 0) {
      // A row got another name: all plans of the record must give it the same key.
      for (const other of state.memories.values()) if (other !== memory) other.forgetForeign();
      continue;
    }
    for (const other of state.memories.values()) {
      if (other !== memory) other.forgetNames(record.plan.record);
    }
    events.emit('device.renumbered', {
      device: state.device.ref,
      record: record.plan.record,
      moved: moved.slice(0, maxListed),
      count: moved.length,
    });
  }
}

/** Rows that are identified by a name and have another instance than before. Of a long table usually few rows differ. */
function findMovedRows(before: RowPlaces, current: RowPlaces): MovedRow[] {
  const places = new Map<string, string>();
  for (const [row, key] of before.keys.entries()) {
    const instance = before.instances[row]!;
    if (key !== current.keys[row] || instance !== current.instances[row]) places.set(key, instance);
  }
  const moved: MovedRow[] = [];
  if (places.size === 0) return moved;
  for (const [row, key] of current.keys.entries()) {
    const to = current.instances[row]!;
    const from = key === to ? undefined : places.get(key);
    if (from !== undefined && from !== to) moved.push({ key, from, to });
  }
  return moved;
}

/** Whether each poll of the plan reads the names of its rows. A plan that takes them from another plan notices moves late. */
function readsNames({ labels }: RecordPlan): boolean {
  return labels.some(({ isName, isForeign }) => isName && !isForeign);
}

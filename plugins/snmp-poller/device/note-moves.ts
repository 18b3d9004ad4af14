import { findMovedRows, readsNames } from '../record/moved-rows.ts';
import type { AssembledRecord } from '../record/record-assembler.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PlanMemory } from './plan-memory.ts';
import type { PolledDevice } from './polled-device.ts';

const toldRows = 100;

/** Takes note of where rows stand, and tells of those that stand elsewhere than before. */
export function noteMoves(
  subject: PolledDevice,
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
    const moved = before === undefined ? [] : findMovedRows(before, now);
    if (moved.length === 0) continue;
    for (const other of subject.memories) if (other !== memory) other.forgetNames(record.plan.record);
    events.emit('device.renumbered', {
      device: subject.device.ref,
      record: record.plan.record,
      moved: moved.slice(0, toldRows),
      count: moved.length,
    });
  }
}

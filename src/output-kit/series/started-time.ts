import { type Batch, valueAt } from '../../model/batch.ts';

/** Milliseconds since the agent started, in a record of one row. */
const uptimeField = 'system.uptime';
/** A device's clock and ours drift; less than this is no restart. */
const driftMs = 5_000;
/** sysUpTime has 32 bits of hundredths of a second and begins again after 497 days without a restart. */
const uptimeWrapMs = 2 ** 32 * 10;
const wrapToleranceMs = 600_000;

/** When the agent started, by this batch; `before` where the batch does not say or says the same. */
export function startedBy(batch: Batch, before: number | undefined): number | undefined {
  const column = batch.columns.find(({ field }) => field === uptimeField);
  const uptimeMs = column === undefined || batch.rows.count !== 1 ? undefined : valueAt(column, 0);
  if (typeof uptimeMs !== 'number' || !Number.isFinite(uptimeMs)) return before;
  const startedMs = batch.timeMs - uptimeMs;
  if (before === undefined) return startedMs;
  const movedMs = startedMs - before;
  const isSame = Math.abs(movedMs) < driftMs || Math.abs(movedMs - uptimeWrapMs) < wrapToleranceMs;
  return isSame ? before : startedMs;
}

import type { Oid } from '../../../src/index.ts';
import { type PollColumns, type SnmpSession, slotStatus } from '../../../src/snmp/index.ts';
import type { PollPlan, Read } from '../plan/poll-plan.ts';
import { codeOf, type ReadOptions, type ReadOutcome } from './read-plan.ts';
import { storeValue } from './store-value.ts';

/** OIDs asked for with one call; the session splits them to what the device takes. */
const chunk = 512;

/** Reads a plan the slow road, by GET through the interface that every engine has. */
export async function readByGet(
  session: SnmpSession,
  plan: PollPlan,
  columns: PollColumns,
  { withForeign, withinMs }: ReadOptions,
): Promise<ReadOutcome> {
  const signal = AbortSignal.timeout(Math.max(0, Math.floor(withinMs)));
  const begunMs = performance.now();
  let firstAfterMs: number | undefined;
  let replies = 0;
  let received = 0;
  let failure: string | undefined;
  for (const read of plan.reads.filter(({ isForeign }) => withForeign || !isForeign)) {
    const oids = listOids(read);
    for (let from = 0; from < oids.length; from += chunk) {
      const part = oids.slice(from, from + chunk);
      if (failure === undefined) {
        try {
          const varbinds = await session.get(part, { signal });
          for (const [i, varbind] of varbinds.entries())
            storeValue(varbind, columns, read.firstSlot + from + i);
          firstAfterMs ??= performance.now() - begunMs;
          replies++;
          received += varbinds.length;
          continue;
        } catch (error) {
          failure = codeOf(error);
        }
      }
      const status = signal.aborted ? slotStatus.budget : slotStatus.timeout;
      columns.status.fill(status, read.firstSlot + from, read.firstSlot + from + part.length);
    }
  }
  return { replies, varbinds: received, firstAfterMs, failure };
}

function listOids({ columns, instances }: Read): Oid[] {
  return columns.flatMap((column) => instances.map((instance) => `${column}.${instance}`));
}

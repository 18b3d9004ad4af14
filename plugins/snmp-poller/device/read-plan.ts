import type { Oid } from '../../../src/index.ts';
import { type PollColumns, type SnmpSession, slotStatus } from '../../../src/snmp/index.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import type { PollPlan, Read } from '../plan/poll-plan.ts';
import { storeValue } from './store-value.ts';

/** The outcome of the requests of a poll. */
export interface ReadOutcome {
  readonly replies: number;
  /** Varbinds that were received, with a value or an exception. */
  readonly varbinds: number;
  /** From the first request to the reply with the device's clock; undefined without a reply. */
  readonly firstAfterMs: number | undefined;
  /** The code of the first failure; undefined when every slot was answered. */
  readonly failure: string | undefined;
  /** The OIDs above the columns of tables whose OIDs do not increase. */
  readonly misordered: readonly Oid[];
}

export interface ReadOptions {
  readonly withForeign: boolean;
  readonly withinMs: number;
  /** The most octets of all replies. */
  readonly maxBytes: number;
}

/** Reads a plan into columns, with compiled requests where the engine has them. Never rejects: every slot gets its status. */
export async function readPlan(
  session: ClientSession,
  plan: PollPlan,
  columns: PollColumns,
  options: ReadOptions,
): Promise<ReadOutcome> {
  if (session.poll === undefined) return readByGet(session, plan, columns, options);
  const { withForeign, withinMs, maxBytes } = options;
  const requests = withForeign ? [...plan.requests, ...plan.labelRequests] : plan.requests;
  try {
    const { values, exceptions, ...outcome } = await session.poll(requests, columns, { withinMs, maxBytes });
    return { ...outcome, varbinds: values + exceptions };
  } catch (error) {
    return { replies: 0, varbinds: 0, firstAfterMs: undefined, failure: codeOf(error), misordered: [] };
  }
}

/** OIDs per call. The session splits them into requests that the device accepts. */
const oidsPerCall = 512;

/** Reads a plan with GET requests, through the interface that every engine has. */
async function readByGet(
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
    for (let from = 0; from < oids.length; from += oidsPerCall) {
      const part = oids.slice(from, from + oidsPerCall);
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
  return { replies, varbinds: received, firstAfterMs, failure, misordered: [] };
}

function listOids({ columns, instances }: Read): Oid[] {
  return columns.flatMap((column) => instances.map((instance) => `${column}.${instance}`));
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'SNMP_FAILED';
}

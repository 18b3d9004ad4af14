import type { Oid } from '../../../src/index.ts';
import {
  type CompiledRequest,
  type PollColumns,
  type SnmpSession,
  slotStatus,
} from '../../../src/snmp/index.ts';
import { type AskedColumn, getAnswered } from '../../../src/snmp/internal.ts';
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
  /** `labels` are those that other plans poll. */
  readonly part: 'all' | 'values' | 'labels';
  readonly withinMs: number;
  /** The most octets of all replies. */
  readonly maxBytes: number;
  /** The requests of `values`: those of the plan without what the device does not have. */
  readonly requests: readonly CompiledRequest[];
  /** Whether they leave out this slot. */
  isLeftOut(slot: number): boolean;
  /** Whether tables of the device may have no end. */
  readonly isEndless: boolean;
}

/** Reads a plan into columns, with compiled requests where the engine has them. Never rejects: every slot gets its status. */
export async function readPlan(
  session: ClientSession,
  plan: PollPlan,
  columns: PollColumns,
  options: ReadOptions,
): Promise<ReadOutcome> {
  if (session.poll === undefined) return readByGet(session, plan, columns, options);
  const { part, withinMs, maxBytes, isEndless } = options;
  const requests = [
    ...(part === 'labels' ? [] : options.requests),
    ...(part === 'values' ? [] : plan.labelRequests),
  ];
  const ordered = isEndless ? inOrderOfSize(requests) : requests;
  try {
    const { values, exceptions, ...outcome } = await session.poll(ordered, columns, {
      withinMs,
      maxBytes,
      keepsPace: isEndless,
    });
    return { ...outcome, varbinds: values + exceptions };
  } catch (error) {
    return { replies: 0, varbinds: 0, firstAfterMs: undefined, failure: codeOf(error), misordered: [] };
  }
}

/** Short tables come before long ones, which may not be read in time. The first request stays first: it has the device's clock. */
function inOrderOfSize([first, ...others]: readonly CompiledRequest[]): CompiledRequest[] {
  return first === undefined ? [] : [first, ...others.sort((a, b) => a.count - b.count)];
}

/** Both outcomes as one. */
export function joinOutcomes(first: ReadOutcome, second: ReadOutcome): ReadOutcome {
  return {
    replies: first.replies + second.replies,
    varbinds: first.varbinds + second.varbinds,
    firstAfterMs: first.firstAfterMs,
    failure: first.failure ?? second.failure,
    misordered: [...first.misordered, ...second.misordered],
  };
}

/** Reads a plan with GET requests, through the interface that every engine has. */
async function readByGet(
  session: SnmpSession,
  plan: PollPlan,
  columns: PollColumns,
  { part, withinMs, isLeftOut }: ReadOptions,
): Promise<ReadOutcome> {
  const signal = AbortSignal.timeout(Math.max(0, Math.floor(withinMs)));
  const begunMs = performance.now();
  let firstAfterMs: number | undefined;
  let replies = 0;
  let received = 0;
  let failure: string | undefined;
  let aliveOid: Oid | undefined;
  for (const read of plan.reads.filter(
    ({ isForeign }) => part === 'all' || isForeign === (part === 'labels'),
  )) {
    const all = listColumns(read);
    const slots = new Map(all.flatMap(({ oids }) => oids).map((oid, i) => [oid, read.firstSlot + i]));
    const status = signal.aborted ? slotStatus.budget : slotStatus.timeout;
    columns.status.fill(status, read.firstSlot, read.firstSlot + slots.size);
    const asked = all
      .map(({ column, oids }) => ({ column, oids: oids.filter((oid) => !isLeftOut(slots.get(oid)!)) }))
      .filter(({ oids }) => oids.length > 0);
    if (failure !== undefined || asked.length === 0) continue;
    try {
      const varbinds = await getAnswered(session, [asked], { signal, aliveOid });
      for (const varbind of varbinds) {
        const slot = slots.get(varbind.oid);
        if (slot !== undefined) storeValue(varbind, columns, slot);
      }
      received += varbinds.length;
      if (varbinds.length === 0) continue;
      firstAfterMs ??= performance.now() - begunMs;
      aliveOid ??= varbinds[0]!.oid;
      replies++;
    } catch (error) {
      failure = codeOf(error);
      if (signal.aborted) columns.status.fill(slotStatus.budget, read.firstSlot, read.firstSlot + slots.size);
    }
  }
  return { replies, varbinds: received, firstAfterMs, failure, misordered: [] };
}

function listColumns({ columns, instances }: Read): AskedColumn[] {
  return columns.map((column) => ({
    column: instances.length === 1 && instances[0] === '0' ? `${column}.0` : column,
    oids: instances.map((instance) => `${column}.${instance}`),
  }));
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'SNMP_FAILED';
}

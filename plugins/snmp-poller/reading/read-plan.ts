import type { PollColumns } from '../../../src/snmp/index.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import type { PollPlan } from '../plan/poll-plan.ts';
import { readByGet } from './read-by-get.ts';

/** What became of the requests of a poll. */
export interface ReadOutcome {
  readonly replies: number;
  /** Varbinds that came, with a value or with an exception. */
  readonly varbinds: number;
  /** From the first request to the reply that tells the device's time; undefined when none came. */
  readonly firstAfterMs: number | undefined;
  /** The code of the first failure; undefined when every slot was answered. */
  readonly failure: string | undefined;
}

export interface ReadOptions {
  readonly withForeign: boolean;
  readonly withinMs: number;
}

/** Reads a plan into columns, by the fast road where the engine has one. Never rejects: every slot has its status then. */
export async function readPlan(
  session: ClientSession,
  plan: PollPlan,
  columns: PollColumns,
  { withForeign, withinMs }: ReadOptions,
): Promise<ReadOutcome> {
  if (session.poll === undefined) return readByGet(session, plan, columns, { withForeign, withinMs });
  const requests = withForeign ? [...plan.requests, ...plan.labelRequests] : plan.requests;
  try {
    const { values, exceptions, ...outcome } = await session.poll(requests, columns, { withinMs });
    return { ...outcome, varbinds: values + exceptions };
  } catch (error) {
    return { replies: 0, varbinds: 0, firstAfterMs: undefined, failure: codeOf(error) };
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'SNMP_FAILED';
}

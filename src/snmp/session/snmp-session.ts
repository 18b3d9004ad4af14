import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { CompiledRequest } from '../compiled/compiled-request.ts';
import type { PollOptions, PollOutcome } from '../compiled/poll.ts';
import type { PollColumns } from '../compiled/poll-columns.ts';
import type { Target } from '../peer/target.ts';
import type { LearnedState } from '../request/learned.ts';
import type { WalkOptions, WalkOutcome } from '../walk/walk.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface BulkRequest {
  readonly nonRepeaters?: number | undefined;
  /** 10 by default. */
  readonly maxRepetitions?: number | undefined;
}

/** The session of every engine: Waywiser's own, and that of the npm package net-snmp. */
export interface SnmpSession {
  /** Such as `192.0.2.1:161`. */
  readonly name: string;
  /** Datagrams that were sent; undefined where the engine does not count them. */
  readonly sent?: number | undefined;
  get(oids: readonly Oid[], options?: RequestOptions): Promise<Varbind[]>;
  getNext(oids: readonly Oid[], options?: RequestOptions): Promise<Varbind[]>;
  getBulk(oids: readonly Oid[], bulk?: BulkRequest & RequestOptions): Promise<Varbind[]>;
  walk(roots: Oid | readonly Oid[], options?: WalkOptions): SnmpWalk;
  /** Until when a column or scalar is left out because the device does not answer for it, in milliseconds since 1970. */
  silentUntil(column: Oid): number | undefined;
  /** Walks and polls leave this column or scalar out until then, by default for an hour: the device answers, but not for it. */
  learnSilence(column: Oid, untilMs?: number): void;
  close(): void;
}

/** A session of Waywiser's own engine. */
export interface Session extends SnmpSession {
  readonly sent: number;
  /** Requests that were sent again because no reply came. */
  readonly retransmitted: number;
  /** Smoothed round trip in milliseconds; 0 before the first reply. */
  readonly roundTripMs: number;
  /** Requests that may be outstanding now. */
  readonly window: number;
  /** Whether there is something to export. */
  readonly hasLearned: boolean;
  /**
   * The fast path: reads compiled requests into columns without allocating an object per value. When the promise resolves,
   * every slot of the requests has its status. It rejects only for a closed session, an aborted signal, and requests of
   * another dialect.
   */
  poll(
    requests: readonly CompiledRequest[],
    columns: PollColumns,
    options?: PollOptions,
  ): Promise<PollOutcome>;
  /** Until when polls read the table with this OID above its columns by GET, because its OIDs do not increase. */
  misorderedUntil(table: Oid): number | undefined;
  /** Describes in sentences what was learned about the device. */
  explain(): string[];
  exportLearned(): LearnedState;
  /** Restores what `exportLearned` returned, also before a restart. Anything else is ignored. */
  restoreLearned(stored: unknown): void;
}

/** Arrays of varbinds, never empty. The outcome is final when the iteration has ended. */
export interface SnmpWalk extends AsyncIterable<Varbind[]> {
  readonly outcome: WalkOutcome;
}

/** Opens sessions. */
export interface SnmpEngine {
  /** Throws SNMP_BAD_TARGET. No packet is sent. */
  open(target: Target): SnmpSession;
  /** Closes all sessions: outstanding requests fail with SNMP_CLOSED. */
  close(): void;
}

import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { WalkOptions, WalkOutcome } from '../walk/walk.ts';
import type { Target } from './target.ts';

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
  get(oids: readonly Oid[], options?: RequestOptions): Promise<Varbind[]>;
  getNext(oids: readonly Oid[], options?: RequestOptions): Promise<Varbind[]>;
  getBulk(oids: readonly Oid[], bulk?: BulkRequest & RequestOptions): Promise<Varbind[]>;
  walk(roots: Oid | readonly Oid[], options?: WalkOptions): SnmpWalk;
  close(): void;
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

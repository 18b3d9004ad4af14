import type { Oid } from '../../model/oid.ts';

/** A value that is computed at every request instead of served as recorded. */
export interface MovingValue {
  /** One OID of the recording, or what is above several. */
  readonly under: Oid;
  readonly at: ValueFunction;
}

/** The value at a moment, of the recorded type: Counter32 and Counter64 wrap by themselves, other numbers are clamped. */
export type ValueFunction = (moment: Moment) => number | bigint | string | Uint8Array;

export interface Moment {
  readonly oid: Oid;
  readonly nowMs: number;
  /** Since the agent's start or its last reboot. */
  readonly elapsedMs: number;
  /** The recorded value; after a reboot a number starts at 0. OIDs and octets come as content octets. */
  readonly start: number | bigint | Uint8Array;
}

import type { Oid } from '../../model/oid.ts';

/** How a replayed device behaves and misbehaves. Every knob can be changed while the agent runs. */
export interface ReplayKnobs {
  /** The device is down: no request is answered. */
  readonly isSilent: boolean;
  /** A request that would be answered with a value at or below one of these OIDs stays unanswered, as if its handler hung. */
  readonly silentUnder: readonly Oid[];
  /** The share of datagrams that are lost, in each direction: with 0.05, 9.75 % of the requests stay unanswered. */
  readonly loss: number;
  /** The share of replies that arrive twice. */
  readonly duplicates: number;
  /** The share of replies that the next reply overtakes; without a next one they are sent after 100 ms. */
  readonly reordering: number;
  readonly delayMs: number;
  /** Additional delay from 0 to this, evenly distributed. */
  readonly jitterMs: number;
  /** Replies are sent from another port than the one that received the request. */
  readonly repliesFromWrongPort: boolean;
  /** The largest datagram. A GETBULK reply is filled up to it; any other reply that is larger becomes `tooBig`. */
  readonly maxReplyBytes: number;
  /** As `maxReplyBytes`, in varbinds. */
  readonly maxReplyVarbinds: number;
  /** sysUpTime and snmpEngineTime continue from their recorded values. After a reboot they always move. */
  readonly hasMovingUptime: boolean;
  /** SNMPv3: the engine boots are always reported as 0. */
  readonly hasBootsStuckAtZero: boolean;
  /** Where GETNEXT and GETBULK do not continue with the next OID. A jump back makes a cycle; a jump to the same OID repeats it. */
  readonly jumps: readonly Jump[];
  /** Rows of the recording that appear and disappear. */
  readonly rows: readonly TransientRow[];
  /** Values that change. When several apply to an OID, the last one wins. */
  readonly values: readonly MovingValue[];
}

export interface Jump {
  readonly after: Oid;
  readonly to: Oid;
}

export interface TransientRow {
  /** The OID above the columns, such as 1.3.6.1.2.1.2.2.1 for ifEntry. */
  readonly table: Oid;
  /** The arcs after the column. */
  readonly index: Oid;
  /** Called at every request; `elapsedMs` counts from the start or the last reboot. */
  readonly isPresent: (elapsedMs: number) => boolean;
}

/** A healthy device, as it was recorded. UDP carries 1,472 octets in one Ethernet frame. */
export const healthyKnobs: ReplayKnobs = Object.freeze({
  isSilent: false,
  silentUnder: [],
  loss: 0,
  duplicates: 0,
  reordering: 0,
  delayMs: 0,
  jitterMs: 0,
  repliesFromWrongPort: false,
  maxReplyBytes: 1472,
  maxReplyVarbinds: 2048,
  hasMovingUptime: false,
  hasBootsStuckAtZero: false,
  jumps: [],
  rows: [],
  values: [],
});

/** A value that is computed at every request instead of read from the recording. */
export interface MovingValue {
  /** An OID of the recording, or a parent of several. */
  readonly under: Oid;
  readonly at: ValueFunction;
}

/** The value at a moment. It gets the recorded type: Counter32 and Counter64 wrap, other numbers are clamped. */
export type ValueFunction = (moment: Moment) => number | bigint | string | Uint8Array;

export interface Moment {
  readonly oid: Oid;
  readonly nowMs: number;
  /** Since the agent's start or its last reboot. */
  readonly elapsedMs: number;
  /** The recorded value; after a reboot a number starts at 0. OIDs and octet strings are content octets. */
  readonly start: number | bigint | Uint8Array;
}

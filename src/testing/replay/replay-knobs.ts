import type { Oid } from '../../model/oid.ts';
import type { MovingValue } from './moving-value.ts';

/** How a replayed device misbehaves and lives. All of it can be changed while the agent runs. */
export interface ReplayKnobs {
  /** The device is dead: nothing is answered. */
  readonly isSilent: boolean;
  /** The share of datagrams that get lost, each way on its own: with 0.05, 9.75 % of the requests stay unanswered. */
  readonly loss: number;
  /** The share of replies that arrive twice. */
  readonly duplicates: number;
  /** The share of replies that are overtaken by the next one; without a next one they leave after 100 ms. */
  readonly reordering: number;
  readonly delayMs: number;
  /** Up to so much more delay, evenly spread. */
  readonly jitterMs: number;
  /** Replies leave from another port than the request was sent to. */
  readonly repliesFromWrongPort: boolean;
  /** The largest datagram. A GETBULK is filled up to it, anything else that is larger becomes `tooBig`. */
  readonly maxReplyBytes: number;
  /** As `maxReplyBytes`, in varbinds. */
  readonly maxReplyVarbinds: number;
  /** sysUpTime and snmpEngineTime go on from their recorded values. After a reboot they always move. */
  readonly hasMovingUptime: boolean;
  /** SNMPv3: boots are reported as 0 whatever happens. */
  readonly hasBootsStuckAtZero: boolean;
  /** Where GETNEXT and GETBULK do not go on with the next OID: a jump back is a cycle, onto itself a column that stays. */
  readonly jumps: readonly Jump[];
  /** Rows of the recording that come and go. */
  readonly rows: readonly TransientRow[];
  /** Values that move. Where several are about one OID, the last one wins. */
  readonly values: readonly MovingValue[];
}

export interface Jump {
  readonly after: Oid;
  readonly to: Oid;
}

export interface TransientRow {
  /** The OID above the columns, such as 1.3.6.1.2.1.2.2.1 for ifEntry. */
  readonly table: Oid;
  /** The arcs behind the column. */
  readonly index: Oid;
  /** Asked at every request; `elapsedMs` counts from the start or the last reboot. */
  readonly isPresent: (elapsedMs: number) => boolean;
}

/** A device in perfect health, as it was recorded. 1,472 octets are what UDP carries in one Ethernet frame. */
export const healthyKnobs: ReplayKnobs = Object.freeze({
  isSilent: false,
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

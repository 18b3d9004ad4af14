/** Why a notification was not accepted. The list is closed, and each datagram is counted in exactly one place. */
export const dropCauses = [
  /** Neither a device nor a sender has this source address. */
  'source',
  /** The source sends more than its limit. */
  'rate',
  /** The notification was not taken, because what follows is full or paused. */
  'queue',
  /** The octets are no message, or a message whose fields contradict each other. */
  'malformed',
  /** The version is unknown, or not allowed for this source. */
  'version',
  /** Another PDU than a notification of this version. */
  'pdu',
  'community',
  /** No user of this name is allowed for this source. */
  'user',
  /** The authoritative engine is unknown and may not be learned, or is not the one that this kind of PDU needs. */
  'engine',
  /** The engine is unknown, and too many unknown ones were tried within a second. */
  'engine_rate',
  /** Another security level than the user's, or a lower one than the sender must have. */
  'level',
  /** The message authentication code is wrong. */
  'digest',
  /** Outside the time window, or boots that have gone down. */
  'time',
  'decryption',
  /** Recording this notification is switched off. */
  'muted',
] as const;
export type DropCause = (typeof dropCauses)[number];

/** Why a datagram was not passed on although nothing is wrong with it. */
export const collapseReasons = [
  /** The same octets again, or an inform that was sent again. */
  'copy',
  /** The same notification about the same thing, as the receiver's user has chosen to combine them. */
  'repeat',
] as const;
export type CollapseReason = (typeof collapseReasons)[number];

/** What became of a notification that was passed on. */
export type Verdict = 'accepted' | 'repeat' | 'muted' | 'queue';

import { berTag } from '../codec/ber-tag.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';

/**
 * Where replies are stored: one slot per value, in memory that the caller owns and may use again for the next poll.
 * The caller decides the order of the slots.
 */
export interface PollColumns {
  /** Integers as 64-bit two's complement: the low word of slot s is at 2s, the high word at 2s + 1. */
  readonly words: Uint32Array;
  /** A value's BER tag (`berTag`), an exception's (0x80 to 0x82), or one of `slotStatus`. */
  readonly status: Uint8Array;
  /**
   * The content octets of every value that is not an integer, one character per octet (latin1). While the octets do not
   * change, the string object stays the same, so that `===` shows quickly whether it has to be decoded again.
   */
  readonly texts: (string | undefined)[];
}

/** The status of a slot that holds neither a value nor an exception. */
export const slotStatus = {
  /** Not requested yet. */
  pending: 0,
  timeout: 0xf0,
  authentication: 0xf1,
  /** The poll reached its deadline, or its replies the limit of their size. */
  budget: 0xf2,
  aborted: 0xf3,
  genErr: 0xf4,
  tooBig: 0xf5,
  /** The agent answered with other varbinds than were requested. */
  wrongAnswer: 0xf6,
} as const;

/** Creates columns with this many slots, all of them pending. */
export function createPollColumns(slots: number): PollColumns {
  return {
    words: new Uint32Array(2 * slots),
    status: new Uint8Array(slots),
    texts: new Array(slots).fill(undefined),
  };
}

/** Whether a slot with this status holds a value. */
export function holdsValue(status: number): boolean {
  return status !== slotStatus.pending && status < berTag.noSuchObject;
}

/** Whether the agent answered with an exception for this varbind. */
export function isSlotException(status: number): boolean {
  return (
    (status >= berTag.noSuchObject && status <= berTag.endOfMibView) ||
    status === slotStatus.genErr ||
    status === slotStatus.tooBig
  );
}

/** The status of slots whose request failed. */
export function statusOfFailure(code: SnmpErrorCode): number {
  return statusByCode[code] ?? slotStatus.timeout;
}

const statusByCode: Readonly<Partial<Record<SnmpErrorCode, number>>> = {
  SNMP_WRONG_DIGEST: slotStatus.authentication,
  SNMP_UNKNOWN_USER: slotStatus.authentication,
  SNMP_SECURITY_LEVEL: slotStatus.authentication,
  SNMP_DECRYPTION: slotStatus.authentication,
  SNMP_TIME_WINDOW: slotStatus.authentication,
  SNMP_RETRY_BUDGET: slotStatus.budget,
  SNMP_NOT_SENT: slotStatus.budget,
  SNMP_REPLY_BYTES: slotStatus.budget,
  SNMP_WRONG_ANSWER: slotStatus.wrongAnswer,
  SNMP_NOT_INCREASING: slotStatus.wrongAnswer,
  SNMP_ABORTED: slotStatus.aborted,
  SNMP_CLOSED: slotStatus.aborted,
};

import { type DecodeFault, type DecodeTally, decodeFaults, newDecodeTally } from '../codec/decode-fault.ts';
import { securityFaults } from '../usm/message/security-fault.ts';

/** Why a readable datagram was ignored. The request continues to wait. */
export const ignoreReasons = [
  /** No outstanding request has its request id: it is late, repeated or forged. */
  'unknownRequest',
  'wrongSource',
  'wrongVersion',
  'wrongCommunity',
  /** The request-id of the PDU is not that of the message. */
  'requestId',
  /** The varbinds do not answer the request. */
  'varbinds',
  /** A Report. Its reason is kept as a hint. */
  'report',
  ...securityFaults,
] as const;
export type IgnoreReason = (typeof ignoreReasons)[number];
export type RejectReason = IgnoreReason | DecodeFault;

/** Counters of the transport since it was created. */
export interface TransportCounters {
  readonly sockets: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly sent: number;
  readonly retransmitted: number;
  readonly received: number;
  readonly accepted: number;
  readonly timeouts: number;
  /** Retransmissions that were postponed because the retry budget was spent. */
  readonly retriesPutOff: number;
  /**
   * Datagrams that the system refused to send, by error code such as ENETUNREACH. For devices that have answered before, only
   * retransmissions are counted.
   */
  readonly sendErrors: Readonly<Record<string, number>>;
  readonly socketErrors: number;
  readonly malformed: Readonly<Record<DecodeFault, number>>;
  readonly ignored: Readonly<Record<IgnoreReason, number>>;
  readonly tolerated: Readonly<DecodeTally>;
  /** Exceptions in Waywiser's own handlers: 0 unless there is a bug. */
  readonly internalFaults: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The live counters. `snapshotOf` copies them. */
export type LiveCounters = Mutable<TransportCounters> & {
  readonly sendErrors: Record<string, number>;
  readonly malformed: Record<DecodeFault, number>;
  readonly ignored: Record<IgnoreReason, number>;
  readonly tolerated: DecodeTally;
};

export function newCounters(): LiveCounters {
  return {
    sockets: 0,
    inFlight: 0,
    waiting: 0,
    sent: 0,
    retransmitted: 0,
    received: 0,
    accepted: 0,
    timeouts: 0,
    retriesPutOff: 0,
    sendErrors: {},
    socketErrors: 0,
    malformed: zeroes(decodeFaults),
    ignored: zeroes(ignoreReasons),
    tolerated: newDecodeTally(),
    internalFaults: 0,
  };
}

export function snapshotOf(counters: LiveCounters): TransportCounters {
  return structuredClone(counters);
}

function zeroes<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
}

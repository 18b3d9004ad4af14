import { type DecodeFault, type DecodeTally, decodeFaults, newDecodeTally } from '../codec/decode-fault.ts';
import { securityFaults } from '../usm/message/security-fault.ts';

/** Why a datagram that could be read was ignored (the request goes on waiting). */
export const ignoreReasons = [
  /** Its request id belongs to no request that waits: late, repeated or forged. */
  'unknownRequest',
  'wrongSource',
  'wrongVersion',
  'wrongCommunity',
  /** Not one of this request's attempts, or 0. */
  'requestId',
  /** Not the varbinds that such a request can have as its answer. */
  'varbinds',
  /** A Report that proves nothing: remembered as a hint. */
  'report',
  ...securityFaults,
] as const;
export type IgnoreReason = (typeof ignoreReasons)[number];
export type Refusal = IgnoreReason | DecodeFault;

/** Everything the transport counts, since it was created. */
export interface TransportCounters {
  readonly sockets: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly sent: number;
  readonly retransmitted: number;
  readonly received: number;
  readonly accepted: number;
  readonly timeouts: number;
  /** Retransmissions put off because the retry budget was spent. */
  readonly retriesPutOff: number;
  /**
   * Datagrams the system refused to send, by error code such as ENETUNREACH. Where replies have come before, repetitions only:
   * what becomes of a first attempt is not asked for.
   */
  readonly sendErrors: Readonly<Record<string, number>>;
  readonly socketErrors: number;
  readonly malformed: Readonly<Record<DecodeFault, number>>;
  readonly ignored: Readonly<Record<IgnoreReason, number>>;
  readonly tolerated: Readonly<DecodeTally>;
  /** Faults of our own in a handler: always 0 unless there is a bug. */
  readonly internalFaults: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The live counters; `snapshotOf` copies them. */
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

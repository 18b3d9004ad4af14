import { WheelEntry } from '../../timing/wheel.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { Refusal } from './counters.ts';
import type { Envelope } from './envelope.ts';
import type { Peer } from './peer.ts';

/**
 * One request on its way: all its attempts, until one of them is answered or the last one's time is over. A flight may
 * be launched again after it has ended.
 */
export abstract class Flight extends WheelEntry {
  readonly peer: Peer;
  /** Who asks: all that is its own fails together. */
  readonly owner: object;
  attempts = 0;
  /** The request ids of the attempts, and when each was sent. Longer lists than `attempts` hold what is over, or nothing. */
  readonly ids: number[] = [0];
  readonly sentAtMs: number[] = [Number.NaN];
  launchedAtMs = 0;
  /** When the request is given up, whatever happens to its attempts. */
  finalMs = 0;
  /** The latest that `finalMs` may be. */
  latestMs = Number.POSITIVE_INFINITY;
  state: 'ended' | 'waiting' | 'queued' | 'flying' = 'ended';
  /** What is known of why no true reply came; the reason when the request fails. */
  hint: SnmpErrorCode | undefined = undefined;
  /** Whether asking again would only bring the same: the next deadline ends the request. */
  isHopeless = false;
  /** Attempts that were no retransmissions: sent again at once because the first was refused. */
  bonusAttempts = 0;
  /** The callback for the socket, made once, where one is wanted. */
  onSent: ((error: Error | null) => unknown) | undefined = undefined;

  constructor(peer: Peer, owner: object = peer) {
    super();
    this.peer = peer;
    this.owner = owner;
  }

  /** The datagram of an attempt. The socket may hold its buffer: see `bufferHeld`. */
  abstract encode(id: number): Buffer;
  /**
   * Judges a datagram from the right source whose id is one of this flight's. A reason means that it is ignored; when it
   * is accepted, undefined is returned after the flight has ended (or has been sent again).
   */
  abstract receive(datagram: Buffer, envelope: Envelope): Refusal | undefined;
  /** Called once when the request has failed; the flight has ended. */
  abstract fail(code: SnmpErrorCode): void;
  /** It is sent again because no reply came. */
  onRetransmission(): void {}
  /** The socket could not send at once and keeps the encoded buffer: it must not be written again. */
  bufferHeld(): void {}
}

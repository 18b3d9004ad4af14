import { WheelEntry } from '../../timing/wheel.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { RejectReason } from './counters.ts';
import type { Envelope } from './envelope.ts';
import { PeerPace } from './peer-pace.ts';

const minTimeoutMs = 500;
/** After this many replies in a row without a timeout, one more request may be outstanding. */
const provenAfter = 20;
const initialWindow = 2;
/** Slower devices keep the initial window: more requests would only queue in the device. */
const fastRoundTripMs = 100;

export interface PeerSettings {
  readonly address: string;
  readonly port: number;
  readonly isIpv6: boolean;
  /** Whether replies may come from another address or port than the target's. */
  readonly acceptsAnySource: boolean;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly exponentialTimeout: boolean;
  readonly maxOutstanding: number;
}

/** One device as the transport sees it: its address, its round trip, the requests that wait for it. */
export class Peer {
  readonly settings: PeerSettings;
  readonly address: string;
  readonly port: number;
  outstanding = 0;
  waiting: Flight[] | undefined = undefined;
  socketIndex = -1;
  /** Smoothed round trip and its variance (RFC 6298 §2); 0 before the first reply. */
  srttMs = 0;
  rttvarMs = 0;
  /** Requests that may be outstanding now: two until the device has proved to be fast. */
  window: number;
  #repliesInRow = 0;
  #pace: PeerPace | undefined = undefined;

  constructor(settings: PeerSettings) {
    this.settings = settings;
    this.address = settings.address;
    this.port = settings.port;
    this.window = Math.min(initialWindow, settings.maxOutstanding);
  }

  /** Of the requests for what may have no end. */
  get pace(): PeerPace {
    this.#pace ??= new PeerPace();
    return this.#pace;
  }

  /** How long attempt number `attempt` waits for its reply; the first one is 0. */
  timeoutMs(attempt: number): number {
    const { timeoutMs, exponentialTimeout } = this.settings;
    const ceiling = exponentialTimeout ? timeoutMs * 2 ** attempt : timeoutMs;
    if (this.srttMs === 0) return ceiling;
    const estimate = Math.max(minTimeoutMs, this.srttMs + 4 * this.rttvarMs) * 2 ** attempt;
    return Math.min(ceiling, estimate);
  }

  learnRoundTrip(sampleMs: number): void {
    if (this.srttMs === 0) {
      this.srttMs = Math.max(sampleMs, 0.001);
      this.rttvarMs = sampleMs / 2;
    } else {
      this.rttvarMs += (Math.abs(sampleMs - this.srttMs) - this.rttvarMs) / 4;
      this.srttMs += (sampleMs - this.srttMs) / 8;
    }
    const isSlow = this.srttMs > fastRoundTripMs;
    if (this.window >= Math.min(this.settings.maxOutstanding, isSlow ? initialWindow : Infinity)) return;
    if (++this.#repliesInRow < provenAfter) return;
    this.#repliesInRow = 0;
    this.window++;
  }

  learnTimeout(): void {
    this.#repliesInRow = 0;
    this.window = Math.max(1, this.window >> 1);
  }
}

/**
 * One request with all its attempts, until one of them is answered or the last one times out. A flight may be launched
 * again after it has ended.
 */
export abstract class Flight extends WheelEntry {
  readonly peer: Peer;
  /** `failAll` fails all flights of an owner together. */
  readonly owner: object;
  attempts = 0;
  /** The request ids of the attempts, and when each was sent. Entries from `attempts` on are not in use. */
  readonly ids: number[] = [0];
  readonly sentAtMs: number[] = [Number.NaN];
  launchedAtMs = 0;
  /** When the request fails, whatever happens to its attempts. */
  finalMs = 0;
  /** The latest that `finalMs` may be. */
  latestMs = Number.POSITIVE_INFINITY;
  state: 'ended' | 'paced' | 'waiting' | 'queued' | 'flying' = 'ended';
  /** Whether it asks for what may have no end: then it keeps the pace of the device. */
  keepsPace = false;
  /** The likely reason why no correct reply came; the error code if the request fails. */
  hint: SnmpErrorCode | undefined = undefined;
  /** Whether a retransmission cannot help: the next deadline ends the request. */
  isHopeless = false;
  /** Attempts that are not retransmissions: they were sent immediately because the previous one was rejected. */
  bonusAttempts = 0;
  /** The callback for the socket, created once, when one is needed. */
  onSent: ((error: Error | null) => unknown) | undefined = undefined;

  constructor(peer: Peer, owner: object = peer) {
    super();
    this.peer = peer;
    this.owner = owner;
  }

  /** The datagram of an attempt. The socket may hold its buffer: see `bufferHeld`. */
  abstract encode(id: number): Buffer;
  /**
   * Handles a datagram from the right source with one of this flight's ids. Returns a reason when the datagram is ignored.
   * When it is accepted, returns undefined after the flight has ended (or has been sent again).
   */
  abstract receive(datagram: Buffer, envelope: Envelope): RejectReason | undefined;
  /** Called once when the request has failed. The flight has ended by then. */
  abstract fail(code: SnmpErrorCode): void;
  /** Called for each datagram. A retransmission is one that is sent again because no reply came. */
  onTransmission(_isRetransmission: boolean): void {}
  /** Called when the socket keeps the encoded buffer for later: the buffer must not be written again. */
  bufferHeld(): void {}
}

import type { Flight } from './flight.ts';

const minTimeoutMs = 500;
/** Replies in a row, without a timeout, after which one more request may be outstanding. */
const provenAfter = 20;
const initialWindow = 2;
/** Slower devices keep the initial window: more requests at once would only queue up there. */
const fastRoundTripMs = 100;

export interface PeerSettings {
  readonly address: string;
  readonly port: number;
  readonly isIpv6: boolean;
  /** Whether replies may come from another address or port than the one asked. */
  readonly acceptsAnySource: boolean;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly exponentialTimeout: boolean;
  readonly maxOutstanding: number;
}

/** One device as the transport sees it: where it is, how fast it answers, what waits for it. */
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
  /** Requests that may be outstanding now: two until the device has proved fast. */
  window: number;
  #repliesInRow = 0;

  constructor(settings: PeerSettings) {
    this.settings = settings;
    this.address = settings.address;
    this.port = settings.port;
    this.window = Math.min(initialWindow, settings.maxOutstanding);
  }

  /** How long attempt number `attempt`, from 0, waits for its reply. */
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

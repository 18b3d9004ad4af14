import type { DiscoveryCause } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';
import type { QueuedRun } from './runs/queued-run.ts';
import { type Failure, isSilence } from './runs/run-executor.ts';
import type { PacketPace } from './service.ts';

/** After a failed discovery only a user request starts another one for this time. It doubles up to the longest. */
const shortestPauseMs = 300_000;
const longestPauseMs = 3_600_000;

/** Polls that find a restart or a change again and again start a discovery after this pause, which doubles up to the longest. */
const suggestionPauseMs = 60_000;

/** Causes that stay after a failed discovery, because nothing else would request another one for them. */
const lastingCauses: ReadonlySet<DiscoveryCause> = new Set(['forced', 'changed', 'reset']);

export interface PostponedDiscovery {
  readonly cause: DiscoveryCause;
  readonly pace: PacketPace | undefined;
}

/** What the scheduler remembers about a device between its discoveries. */
export class KnownDevice {
  readonly device: Device;
  /** As they were last looked at. */
  settings: Device['settings'];
  /** The timer of the next attempt at a first discovery. */
  retry: NodeJS.Timeout | undefined = undefined;
  /** A discovery that the device did not answer, or that has to wait. It is requested again as soon as that is allowed. */
  postponed: PostponedDiscovery | undefined = undefined;
  #failures = 0;
  #failedMs = 0;
  #suggestions = 0;
  #suggestedMs = Number.NEGATIVE_INFINITY;

  constructor(device: Device) {
    this.device = device;
    this.settings = device.settings;
  }

  /** Whether automatic discoveries are allowed again. Times are of the monotonic clock. */
  mayBeRetried(nowMs: number): boolean {
    if (this.#failures === 0) return true;
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** (this.#failures - 1));
    return nowMs - this.#failedMs >= pauseMs;
  }

  /** Whether a discovery may start because of what a poll has read. Counts it when it may. */
  maySuggest(nowMs: number): boolean {
    const sinceMs = nowMs - this.#suggestedMs;
    const pauseMs = Math.min(longestPauseMs, suggestionPauseMs * 2 ** (this.#suggestions - 1));
    if (sinceMs >= 2 * longestPauseMs) this.#suggestions = 0;
    else if (sinceMs < pauseMs) return false;
    this.#suggestions++;
    this.#suggestedMs = nowMs;
    return true;
  }

  recordOutcome({ cause, pace }: QueuedRun, failure: Failure | undefined, nowMs: number): void {
    if (failure === undefined) {
      this.postponed = undefined;
      this.#failures = 0;
      return;
    }
    this.#failures++;
    this.#failedMs = nowMs;
    if (lastingCauses.has(cause) && isSilence(failure)) this.postponed = { cause, pace };
  }
}

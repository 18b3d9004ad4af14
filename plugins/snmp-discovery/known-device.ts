import type { DiscoveryCause } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';
import type { Run } from './runs/run.ts';
import { type Failure, isSilence } from './runs/run-executor.ts';

/** After a failed discovery nobody but a person asks for another for so long, doubling up to the longest. */
const shortestPauseMs = 300_000;
const longestPauseMs = 3_600_000;

/** Causes that a failed discovery does not settle: nothing else would come back to them. */
const lasting: ReadonlySet<DiscoveryCause> = new Set(['forced', 'changed', 'reset']);

/** What is remembered of a device between its discoveries. */
export class KnownDevice {
  readonly device: Device;
  /** What it is asked with: only a difference there calls for asking again. */
  access: unknown;
  /** The next try of a first discovery. */
  retry: NodeJS.Timeout | undefined = undefined;
  /** Why it is to be discovered as soon as it answers: a discovery for that reason met silence. */
  owed: DiscoveryCause | undefined = undefined;
  #failures = 0;
  #failedMs = 0;

  constructor(device: Device, access: unknown) {
    this.device = device;
    this.access = access;
  }

  /** Whether discoveries may come by themselves again. Times are of the monotonic clock. */
  hasRested(nowMs: number): boolean {
    if (this.#failures === 0) return true;
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** (this.#failures - 1));
    return nowMs - this.#failedMs >= pauseMs;
  }

  noteOutcome({ cause }: Run, failure: Failure | undefined, nowMs: number): void {
    if (failure === undefined) {
      this.owed = undefined;
      this.#failures = 0;
      return;
    }
    this.#failures++;
    this.#failedMs = nowMs;
    if (lasting.has(cause) && isSilence(failure)) this.owed = cause;
  }
}

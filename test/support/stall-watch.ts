import { existsSync, readFileSync } from 'node:fs';

const lookMs = 10;
/** What Linux says of this process's first thread: nanoseconds on a processor come first. */
const threadPath = `/proc/self/task/${process.pid}/schedstat`;
const isThreadKnown = existsSync(threadPath);

/**
 * Finds work of the main thread that holds its event loop. A machine that others use makes the clock alone jump, and
 * work between two looks that lets others have their turn uses the processor alone, so a stall is what both of them show.
 */
export class StallWatch {
  readonly #stallsMs: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let clock = performance.now();
    let used = usedMs();
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      const nowUsed = usedMs();
      this.#stallsMs.push(Math.min(nowMs - clock, nowUsed - used) - lookMs);
      clock = nowMs;
      used = nowUsed;
    }, lookMs);
  }

  get longestMs(): number {
    return this.percentileMs(100);
  }

  /** What so many percent of the looks at the loop found at most. */
  percentileMs(percent: number): number {
    const sorted = this.#stallsMs.toSorted((a, b) => a - b);
    return Math.max(0, sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function usedMs(): number {
  if (isThreadKnown) return Number(readFileSync(threadPath, 'latin1').split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

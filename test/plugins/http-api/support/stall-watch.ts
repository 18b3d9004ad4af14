const lookMs = 10;

/**
 * Finds work that held the event loop. A machine that others use makes the clock alone jump, and other threads of the
 * process use its processor alone, so a stall is what both of them show.
 */
export class StallWatch {
  longestMs = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let clock = performance.now();
    let used = usedMs();
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      const nowUsed = usedMs();
      this.longestMs = Math.max(this.longestMs, Math.min(nowMs - clock, nowUsed - used) - lookMs);
      clock = nowMs;
      used = nowUsed;
    }, lookMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

import type { Logger } from '../../src/index.ts';
import type { RecentDrop } from './trap-report.ts';

const everyMs = 60_000;
/** Addresses can be invented: the log must not grow with them. */
const maxLines = 20;

/** Says in the log who is refused: once a minute for each source and cause, and at most 20 lines per minute. */
export class RefusalLines {
  readonly #log: Logger;
  readonly #said = new Set<string>();
  #sinceMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(drops: readonly RecentDrop[], nowMs: number): void {
    if (nowMs - this.#sinceMs >= everyMs) {
      this.#said.clear();
      this.#sinceMs = nowMs;
    }
    for (const { source, cause, count } of drops) {
      const key = `${cause} ${source}`;
      // What a definition mutes is as wanted.
      if (cause === 'muted' || this.#said.has(key) || this.#said.size >= maxLines) continue;
      this.#said.add(key);
      this.#log.warn(
        { source, cause, count },
        cause === 'kernel'
          ? 'The system had no room for notifications: they are lost. Raise net.core.rmem_max and receive_buffer_bytes, or send fewer.'
          : `Notifications of ${source} are refused: ${cause}. docs/traps.md says what to do about each cause.`,
      );
    }
  }
}

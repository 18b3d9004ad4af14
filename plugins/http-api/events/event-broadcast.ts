import type { SentEvent } from './event-journal.ts';
import type { EventStream } from './event-stream.ts';

/**
 * A write to a socket costs more than all else that is done for an event. So events travel together, the longer the more
 * clients there are: a few have them in 20 ms, a thousand in half a second.
 */
const maxWritesPerSecond = 2000;
const minGatherMs = 20;

export interface EventFilter {
  /** Equal for filters that want the same. */
  readonly key: string;
  readonly isWanted: (event: SentEvent) => boolean;
}

/** Sends events to many clients: each is written as bytes once for all clients that want the same. */
export class EventBroadcast {
  readonly #groups = new Map<string, Group>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #flushedMs = 0;
  #streams = 0;

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(event: SentEvent): void {
    for (const group of this.#groups.values()) if (group.isWanted(event)) group.pending.push(event.frame);
    if (this.#groups.size === 0 || this.#timer !== undefined) return;
    const gatherMs = Math.max(minGatherMs, (1000 * this.#streams) / maxWritesPerSecond);
    const waitMs = Math.min(gatherMs, Math.max(0, this.#flushedMs + gatherMs - this.#now()));
    this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Sends what waits now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushedMs = this.#now();
    for (const group of this.#groups.values()) {
      if (group.pending.length === 0) continue;
      const bytes = Buffer.from(group.pending.join(''));
      group.pending = [];
      for (const stream of group.streams) stream.write(bytes);
    }
  }

  /** From now on the stream gets what the filter wants, until the answer is called. */
  join(stream: EventStream, { key, isWanted }: EventFilter): () => void {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { isWanted, streams: new Set(), pending: [] };
      this.#groups.set(key, group);
    }
    const { streams } = group;
    streams.add(stream);
    this.#streams++;
    return () => {
      if (streams.delete(stream)) this.#streams--;
      if (streams.size === 0) this.#groups.delete(key);
    };
  }
}

interface Group {
  readonly isWanted: EventFilter['isWanted'];
  readonly streams: Set<EventStream>;
  pending: string[];
}

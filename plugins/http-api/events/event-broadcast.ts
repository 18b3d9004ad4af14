import type { SentEvent } from './event-journal.ts';
import type { EventStream } from './event-stream.ts';

/**
 * A write to a socket costs more than all other work for an event. So events are gathered and written together, for longer
 * when there are more clients: a few clients receive them within 20 ms, a thousand clients within half a second.
 */
const maxWritesPerSecond = 2000;
const minGatherMs = 20;

export interface EventFilter {
  /** Filters that select the same events have the same key. */
  readonly key: string;
  readonly isWanted: (event: SentEvent) => boolean;
}

/** Sends events to many clients. All clients with the same filter share the bytes of an event. */
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

  /** Sends the gathered events now. */
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

  /** Sends the events that the filter selects to the stream, until the returned function is called. */
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

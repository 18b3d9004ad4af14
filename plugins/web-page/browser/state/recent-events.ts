import { signal } from '@preact/signals';
import type { FollowedEvent } from '../../../../src/client/index.ts';
import { baseUrl } from './api.ts';

/** An event, and when it happened. */
export interface SeenEvent {
  readonly event: FollowedEvent;
  readonly at: number;
}

const maxEvents = 1000;

/** The latest events, newest first, without those of each poll. */
export const events = signal<readonly SeenEvent[]>([]);

let waiting: SeenEvent[] = [];
let lastId = 0;

/** The event after which a stream goes on. */
export function lastEventId(): string {
  return String(lastId);
}

/** Collects what arrives at once, so that a thousand events are one change of the page. An event may come twice, and late. */
export function keepEvents(seen: readonly SeenEvent[]): void {
  if (seen.length === 0) return;
  if (waiting.length === 0) setTimeout(showWaiting, 100);
  for (const each of seen) {
    waiting.push(each);
    lastId = Math.max(lastId, Number(each.event.id));
  }
}

function showWaiting(): void {
  const known = new Map([...events.peek(), ...waiting].map((seen) => [Number(seen.event.id), seen]));
  waiting = [];
  events.value = [...known]
    .sort(([a], [b]) => b - a)
    .slice(0, maxEvents)
    .map(([, seen]) => seen);
}

type Message = { readonly kind: 'ask' } | { readonly kind: 'events'; readonly seen: readonly SeenEvent[] };

/** The windows of a browser tell each other what happened: one of them follows the collector for all. */
export class EventExchange {
  /** This window follows the collector, so it answers for all. */
  isFollowing = false;
  readonly #channel = new BroadcastChannel(`events of ${baseUrl}`);

  constructor(stop: AbortSignal) {
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'events') keepEvents(data.seen);
      else if (this.isFollowing) this.tell([...waiting, ...events.peek()]);
    };
    stop.addEventListener('abort', () => this.#channel.close());
  }

  /** Asks for what happened before. */
  ask(): void {
    this.#post({ kind: 'ask' });
  }

  tell(seen: readonly SeenEvent[]): void {
    this.#post({ kind: 'events', seen });
  }

  #post(message: Message): void {
    this.#channel.postMessage(message);
  }
}

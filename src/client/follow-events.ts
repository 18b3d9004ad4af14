import type { StreamEventMap, StreamEventName } from '../model/event-map.ts';
import { ApiProblem } from './api-problem.ts';
import { EventParser } from './event-parser.ts';
import { type ClientOptions, send } from './request.ts';

export interface FollowOptions<Name extends StreamEventName = StreamEventName> {
  /** Only events with these names; by default all events. `events.missed` says that the collector no longer keeps some. */
  readonly names?: readonly Name[];
  /** Only events about the device with this name. */
  readonly device?: string;
  /** Begin after this event, as far as the collector still keeps events. */
  readonly lastEventId?: string;
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal;
  /** Called when the connection is lost, before each attempt to reconnect. */
  readonly onLost?: (error: unknown) => void;
}

export type FollowedEvent<Name extends StreamEventName = StreamEventName> = {
  readonly [Each in Name]: {
    readonly id: string;
    /** When it happened (ISO 8601), where the collector says it. */
    readonly time: string | undefined;
    /** Which member of a cluster emitted it. */
    readonly member: string | undefined;
    readonly name: Each;
    readonly data: StreamEventMap[Each];
  };
}[Name];

const defaultRetryMs = 2_000;

/**
 * Yields events as they happen. After a lost connection it reconnects, and yields the missed events first, as far as the
 * collector still keeps them. Throws when the first connection fails, and when the collector refuses the request.
 */
export async function* followEvents<Name extends StreamEventName>(
  options: ClientOptions,
  { names, device, lastEventId, signal, onLost }: FollowOptions<Name>,
): AsyncGenerator<FollowedEvent<Name>, void> {
  const query = new URLSearchParams();
  if (names !== undefined) query.set('name', names.join(','));
  if (device !== undefined) query.set('device', device);
  const path = `/api/v1/events${query.size === 0 ? '' : `?${query}`}`;
  const isMissedWanted =
    names === undefined || (names as readonly StreamEventName[]).includes('events.missed');
  let lastId = lastEventId;
  let retryMs = defaultRetryMs;
  let wasOpen = false;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    try {
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
      const response = await send(options, { method: 'GET', path, headers, signal });
      wasOpen = true;
      const parser = new EventParser();
      for await (const { id, time, member, name, data } of parseStream(response, parser)) {
        retryMs = parser.retryMs ?? retryMs;
        lastId = id;
        if (name === 'events.missed' && !isMissedWanted) continue;
        yield { id, time, member, name, data: JSON.parse(data) } as FollowedEvent<Name>;
      }
      retryMs = parser.retryMs ?? retryMs;
      onLost?.(undefined);
    } catch (error) {
      if (isOver()) return;
      const isRefused = error instanceof ApiProblem && error.status < 500;
      if (!wasOpen || isRefused) throw error;
      onLost?.(error);
    }
    await pause(retryMs, signal);
  }
}

async function* parseStream(response: Response, parser: EventParser) {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted === true) end();
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { EventParser, type ParsedEvent } from '../../../src/client/internal.ts';
import { scopeHeader } from '../../../src/http/index.ts';
import { explainError, type Logger } from '../../../src/index.ts';
import type { StreamEventName } from '../../../src/model/index.ts';
import type { Fleet } from '../../../src/sharding/index.ts';

/** A stream without events has a heartbeat every 15 seconds. */
const silentMs = 40_000;
const retryMs = 1_000;
/** A client that lost its connection comes back within seconds, and misses nothing that happened meanwhile. */
const lingerMs = 30_000;

interface MemberEventsParts {
  readonly fleet: Fleet;
  readonly log: Logger;
  readonly onEvent: (member: string, event: ParsedEvent) => void;
}

/** The events of the other members, read while somebody here wants the events of the whole cluster. */
export class MemberEvents {
  readonly #parts: MemberEventsParts;
  /** The names that each client wants; undefined: all. */
  readonly #wishes = new Set<{ readonly names: ReadonlySet<StreamEventName> | undefined }>();
  /** What the members are asked for. */
  #asked: { readonly names: ReadonlySet<StreamEventName> | undefined } | undefined;
  readonly #lastIds = new Map<string, string>();
  readonly #followed = new Map<string, AbortController>();
  #linger: NodeJS.Timeout | undefined;

  constructor(parts: MemberEventsParts) {
    this.#parts = parts;
  }

  /** False when there are others and nobody wants their events. */
  get isFollowing(): boolean {
    return this.#asked !== undefined || this.#parts.fleet.members.size < 2;
  }

  /** Begins to read the events with these names. The function that is returned says that this client is gone. */
  want(names: ReadonlySet<StreamEventName> | undefined): () => void {
    clearTimeout(this.#linger);
    const wish = { names };
    this.#wishes.add(wish);
    if (!this.#isAsked(names)) {
      this.#stop();
      const wishes = [...this.#wishes].map((each) => each.names);
      this.#asked = { names: joinNames(wishes) };
    }
    this.follow();
    return () => {
      if (!this.#wishes.delete(wish) || this.#wishes.size > 0) return;
      this.#linger = setTimeout(() => this.close(), lingerMs);
      this.#linger.unref();
    };
  }

  /** Follows those who are members now. */
  follow(): void {
    const { fleet } = this.#parts;
    if (this.#asked === undefined || fleet.requests === undefined) return;
    for (const { name, address } of fleet.members.values()) {
      if (name === fleet.name || address === undefined || this.#followed.has(name)) continue;
      const ending = new AbortController();
      this.#followed.set(name, ending);
      void this.#followMember(name, ending.signal).finally(() => {
        if (this.#followed.get(name) === ending) this.#followed.delete(name);
      });
    }
  }

  close(): void {
    clearTimeout(this.#linger);
    this.#asked = undefined;
    this.#lastIds.clear();
    this.#stop();
  }

  #isAsked(names: ReadonlySet<StreamEventName> | undefined): boolean {
    if (this.#asked === undefined) return false;
    const { names: asked } = this.#asked;
    return asked === undefined || (names !== undefined && [...names].every((name) => asked.has(name)));
  }

  #stop(): void {
    for (const ending of this.#followed.values()) ending.abort();
    this.#followed.clear();
  }

  /** Until the signal aborts, or nobody of this name is a member. */
  async #followMember(name: string, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    for (let isTold = false; !signal.aborted; ) {
      try {
        await this.#readStream(name, signal);
        isTold = false;
      } catch (error) {
        if (signal.aborted) return;
        const reason = explainError(error);
        if (!isTold) log.warn({ member: name, reason }, 'The events of a member cannot be read.');
        isTold = true;
      }
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {});
      if (!this.#parts.fleet.members.has(name)) return;
    }
  }

  /** Until the connection ends. */
  async #readStream(name: string, signal: AbortSignal): Promise<void> {
    const { fleet, onEvent } = this.#parts;
    const member = fleet.members.get(name);
    if (member === undefined || fleet.requests === undefined) return;
    const names = this.#asked?.names;
    const lastId = this.#lastIds.get(name);
    const { status, body } = await fleet.requests.ask(member, {
      method: 'GET',
      path: `/api/v1/events${names === undefined ? '' : `?name=${[...names].join(',')}`}`,
      headers: {
        [scopeHeader]: 'member',
        accept: 'text/event-stream',
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      timeoutMs: silentMs,
    });
    const end = () => body.destroy();
    signal.addEventListener('abort', end, { once: true });
    try {
      if (signal.aborted || status !== 200) {
        body.destroy();
        if (signal.aborted) return;
        throw new Error(`it answered with status ${status}`);
      }
      const parser = new EventParser();
      body.setEncoding('utf8');
      for await (const chunk of body) {
        for (const event of parser.push(chunk as string)) {
          this.#lastIds.set(name, event.id);
          onEvent(name, event);
        }
      }
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}

/** Undefined, which is all names, where one of them is. */
function joinNames(
  wishes: readonly (ReadonlySet<StreamEventName> | undefined)[],
): ReadonlySet<StreamEventName> | undefined {
  const joined = new Set<StreamEventName>();
  for (const names of wishes) {
    if (names === undefined) return undefined;
    for (const name of names) joined.add(name);
  }
  return joined;
}

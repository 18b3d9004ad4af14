import type { EventBus, EventMap, EventName } from '../../../src/index.ts';

/** An event, formatted once for all clients. */
export interface SentEvent {
  readonly id: number;
  readonly name: EventName;
  /** The bytes of the event in the stream. */
  readonly frame: string;
  /** The name of the device that the event is about, if any. */
  readonly device: string | undefined;
}

/** The last events in order, and listeners to new ones. */
export class EventJournal {
  readonly #kept: SentEvent[] = [];
  readonly #listeners = new Set<(event: SentEvent) => void>();
  readonly #maxKept: number;
  readonly #now: () => number;
  #lastId: number;

  /** `now` is in milliseconds since 1970. Ids begin after the time, which keeps the ids of two runs apart. */
  constructor(maxKept: number, now: () => number) {
    this.#maxKept = maxKept;
    this.#now = now;
    this.#lastId = now() * 1000;
  }

  listen(events: EventBus): void {
    for (const name of eventNames) events.on(name, (payload) => this.#add(name, payload));
  }

  /** The events after `id` that are still kept. */
  after(id: number): readonly SentEvent[] {
    return this.#kept.filter((event) => event.id > id);
  }

  subscribe(listener: (event: SentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    const device = 'device' in payload ? payload.device.name : undefined;
    const id = ++this.#lastId;
    // Programs that know no such field of the stream ignore it.
    const time = new Date(this.#now()).toISOString();
    const frame = `id: ${id}\ntime: ${time}\nevent: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
    const event = { id, name, frame, device };
    this.#kept.push(event);
    if (this.#kept.length > this.#maxKept) this.#kept.shift();
    for (const listener of this.#listeners) listener(event);
  }
}

/** A table, so that a missing event is a compile error. */
const everyEvent: Readonly<Record<EventName, true>> = {
  'definitions.changed': true,
  'definitions.rejected': true,
  'device.added': true,
  'device.changed': true,
  'device.removed': true,
  'device.state': true,
  'device.renumbered': true,
  'device.misordered': true,
  'discovery.started': true,
  'discovery.progressed': true,
  'discovery.completed': true,
  'discovery.failed': true,
  'scan.started': true,
  'scan.progressed': true,
  'scan.completed': true,
  'scan.failed': true,
  'poll.completed': true,
  'poll.failed': true,
  'output.stalled': true,
  'output.recovered': true,
  'output.dropped': true,
  'trap.received': true,
  'trap.dropped': true,
  'collector.ready': true,
  'shard.gained': true,
  'shard.lost': true,
  'member.joined': true,
  'member.left': true,
  'worker.started': true,
  'worker.ended': true,
  'cluster.degraded': true,
  'cluster.recovered': true,
  'collector.stopping': true,
};

export const eventNames = Object.keys(everyEvent) as EventName[];

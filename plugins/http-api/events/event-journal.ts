import type { DeviceRef, EventBus, EventMap, EventName } from '../../../src/index.ts';
import { type Fleet, type ParsedEvent, shardOf } from '../../../src/internal.ts';

/** An event, formatted once for all clients. */
export interface SentEvent {
  readonly id: number;
  readonly name: EventName;
  /** The bytes of the event in the stream. */
  readonly frame: string;
  /** The name of the device that the event is about, if any. */
  readonly device: string | undefined;
  /** Whether this collector emitted it, and not another member of its cluster. */
  readonly isOwn: boolean;
  /** Whether it belongs to the events of the whole cluster, where what every member tells is told once. */
  readonly isOfFleet: boolean;
}

/** The last events in order, and listeners to new ones. */
export class EventJournal {
  readonly #kept: SentEvent[] = [];
  readonly #listeners = new Set<(event: SentEvent) => void>();
  readonly #maxKept: number;
  readonly #now: () => number;
  readonly #fleet: Fleet | undefined;
  #lastId: number;

  /** `now` is in milliseconds since 1970. Ids begin after the time, which keeps the ids of two runs apart. */
  constructor(maxKept: number, now: () => number, fleet?: Fleet) {
    this.#fleet = fleet;
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
    this.#keep(name, payload, {
      time: new Date(this.#now()).toISOString(),
      data: JSON.stringify(payload),
      member: this.#fleet?.name,
      isOwn: true,
    });
  }

  /** An event of another member, with an id of this journal. */
  addOf(member: string, { name, time = '', data }: ParsedEvent): void {
    if (isEventName(name)) this.#keep(name, JSON.parse(data), { time, data, member, isOwn: false });
  }

  #keep(name: EventName, payload: object, { time, data, member, isOwn }: Origin): void {
    const ref = 'device' in payload ? (payload.device as DeviceRef) : undefined;
    const id = ++this.#lastId;
    // Programs that know no such fields of the stream ignore them.
    const from = member === undefined ? '' : `member: ${member}\n`;
    const frame = `id: ${id}\ntime: ${time}\n${from}event: ${name}\ndata: ${data}\n\n`;
    const teller = this.#fleet && tellerOf(name, ref, this.#fleet);
    const isOfFleet = teller === undefined || teller === member;
    const event = { id, name, frame, device: ref?.name, isOwn, isOfFleet };
    this.#kept.push(event);
    if (this.#kept.length > this.#maxKept) this.#kept.shift();
    for (const listener of this.#listeners) listener(event);
  }
}

interface Origin {
  readonly time: string;
  readonly data: string;
  readonly member: string | undefined;
  readonly isOwn: boolean;
}

/** The member whose event counts where all members tell the same; undefined where each tells something of its own. */
function tellerOf(name: EventName, device: DeviceRef | undefined, fleet: Fleet): string | undefined {
  switch (name) {
    case 'device.added':
    case 'device.changed':
    case 'device.removed':
      return device === undefined ? undefined : fleet.ownerOf(shardOf(device));
    case 'definitions.changed':
    case 'member.joined':
    case 'member.left':
      return fleet.name;
    default:
      return undefined;
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

const eventNames = Object.keys(everyEvent) as EventName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(everyEvent, name);
}

import type { ParsedEvent } from '../../../src/client/internal.ts';
import type { DeviceRef, EventBus, EventMap, EventName } from '../../../src/index.ts';
import type { StreamEventMap, StreamEventName } from '../../../src/model/index.ts';
import { type Fleet, shardOf } from '../../../src/sharding/index.ts';

/** An event, formatted once for all clients. */
export interface SentEvent {
  readonly id: number;
  readonly name: StreamEventName;
  readonly time: string;
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
  /** Before the first event of this run. */
  readonly #startId: number;
  #lastId: number;

  /** `now` is in milliseconds since 1970. Ids begin after the time, which keeps the ids of two runs apart. */
  constructor(maxKept: number, now: () => number, fleet?: Fleet) {
    this.#fleet = fleet;
    this.#maxKept = maxKept;
    this.#now = now;
    this.#startId = now() * 1000;
    this.#lastId = this.#startId;
  }

  listen(events: EventBus): void {
    for (const name of eventNames) events.on(name, (payload) => this.#add(name, payload));
  }

  /** For a client whose last event was `id`: the later ones that are kept, after a notice when others are not. 0 is all that is kept. */
  after(id: number): readonly SentEvent[] {
    if (id === 0) return this.#kept.filter(({ name }) => name !== 'events.missed');
    const isOfRun = id >= this.#startId && id <= this.#lastId;
    const goneId = this.#lastId - this.#kept.length;
    if (isOfRun && id >= goneId) return this.#kept.filter((event) => event.id > id);
    const until = goneId === this.#startId ? this.#timeOf(this.#startId / 1000) : this.#kept[0]!.time;
    const missed = isOfRun
      ? { count: goneId - id, until, why: `the collector keeps the last ${this.#maxKept} events` }
      : { until, why: 'the events before belong to another run or member of the collector' };
    return [this.#describeGap(goneId, true, missed), ...this.#kept];
  }

  /** Says to clients that come back that the events of other members were not read until now. */
  addGapOfOthers(): void {
    const until = this.#timeOf(this.#now());
    this.#append(
      this.#describeGap(this.#lastId + 1, false, {
        until,
        why: 'nobody has read the events of the other members',
      }),
    );
  }

  subscribe(listener: (event: SentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    const time = this.#timeOf(this.#now());
    this.#keep(name, payload, {
      time,
      data: JSON.stringify({ time, ...payload }),
      member: this.#fleet?.name,
      isOwn: true,
    });
  }

  /** An event of another member, with an id of this journal. */
  addOf(member: string, { name, time = '', data }: ParsedEvent): void {
    if (isStreamEventName(name)) this.#keep(name, JSON.parse(data), { time, data, member, isOwn: false });
  }

  #keep(name: StreamEventName, payload: object, { time, data, member, isOwn }: Origin): void {
    const ref = 'device' in payload ? (payload.device as DeviceRef) : undefined;
    const id = this.#lastId + 1;
    const frame = renderFrame(id, name, { time, data, member });
    const teller = this.#fleet && tellerOf(name, ref, this.#fleet);
    const isOfFleet = teller === undefined || teller === member;
    this.#append({ id, name, time, frame, device: ref?.name, isOwn, isOfFleet });
  }

  #append(event: SentEvent): void {
    this.#lastId = event.id;
    this.#kept.push(event);
    if (this.#kept.length > this.#maxKept) this.#kept.shift();
    for (const listener of this.#listeners) listener(event);
  }

  /** `isOwn`: whether events of this member are missing. */
  #describeGap(id: number, isOwn: boolean, gap: StreamEventMap['events.missed']): SentEvent {
    const [name, time] = ['events.missed' as const, this.#timeOf(this.#now())];
    const data = JSON.stringify({ time, ...gap });
    const frame = renderFrame(id, name, { time, data, member: undefined });
    return { id, name, time, frame, device: undefined, isOwn, isOfFleet: true };
  }

  #timeOf(ms: number): string {
    return new Date(ms).toISOString();
  }
}

interface Told {
  readonly time: string;
  readonly data: string;
  readonly member: string | undefined;
}

interface Origin extends Told {
  readonly isOwn: boolean;
}

/** Programs that do not know the fields `time` and `member` ignore them. The data has the time too. */
function renderFrame(id: number, name: StreamEventName, { time, data, member }: Told): string {
  const from = member === undefined ? '' : `member: ${member}\n`;
  return `id: ${id}\ntime: ${time}\n${from}event: ${name}\ndata: ${data}\n\n`;
}

/** The member whose event counts where all members tell the same; undefined where each tells something of its own. */
function tellerOf(name: StreamEventName, device: DeviceRef | undefined, fleet: Fleet): string | undefined {
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

export function isStreamEventName(name: string): name is StreamEventName {
  return name === 'events.missed' || Object.hasOwn(everyEvent, name);
}

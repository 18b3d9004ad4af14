import { deviceKey } from '../../../src/index.ts';
import type { Clock } from '../../../src/timing/index.ts';
import type { DeviceState } from '../device/device-state.ts';
import type { ExportedPolls, InheritedPolls, PolledDevice } from '../device/polled-device.ts';
import { importCounters } from '../record/table-counters.ts';

/** One of a device's further contexts. */
interface InContext {
  readonly context?: string | undefined;
}

/** What one collector hands to another, by address and port of the device. */
export type HandedPolls = Readonly<Record<string, readonly (ExportedPolls & InContext)[]>>;

/** The slots and the last counters of devices that move between collectors, so that their polls and rates continue. */
export class PollHandover {
  readonly #clock: Pick<Clock, 'now'>;
  /** By shard: devices that are polled no more, until another collector has them. */
  readonly #lost = new Map<number, PolledDevice[]>();
  /** By shard, then by address and port: what the last owner has read. */
  readonly #received = new Map<number, ReadonlyMap<string, readonly (InheritedPolls & InContext)[]>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  keep(polled: PolledDevice): void {
    const { shard } = polled.state;
    const known = this.#lost.get(shard);
    if (known === undefined) this.#lost.set(shard, [polled]);
    else known.push(polled);
  }

  /** Only of lost shards: the next owner of others cannot know which polls came after these. */
  collect(shard: number): HandedPolls {
    const handed: Record<string, (ExportedPolls & InContext)[]> = {};
    for (const polled of this.#lost.get(shard) ?? []) {
      const { device, context } = polled.state;
      const key = deviceKey(device.ref);
      const polls = polled.exportPolls();
      if (polls.slots.length > 0) handed[key] = [...(handed[key] ?? []), { context, ...polls }];
    }
    return handed;
  }

  /** The devices continue as if another collector had handed them over. */
  takeBack(shards: Iterable<number>): void {
    for (const shard of shards) this.restore(shard, this.collect(shard), true);
  }

  /** `isDirect`: nobody else has polled the devices since. */
  restore(shard: number, handed: HandedPolls, isDirect: boolean): void {
    const nowMs = this.#clock.now();
    const received = Object.entries(handed).map(
      ([key, contexts]) =>
        [
          key,
          contexts.map(({ context, slots, counters }) => ({
            context,
            dueMs: new Map(isDirect ? slots.map(({ everyMs, inMs }) => [everyMs, nowMs + inMs]) : []),
            counters: counters.map(({ everyMs, table, ...read }) => {
              return { everyMs, table, counters: importCounters(read, nowMs) };
            }),
          })),
        ] as const,
    );
    this.#received.set(shard, new Map(received));
  }

  receivedFor({ device, context, shard }: DeviceState): InheritedPolls | undefined {
    const received = this.#received.get(shard)?.get(deviceKey(device.ref)) ?? [];
    return received.find((each) => each.context === context);
  }

  forget(shards: Iterable<number>): void {
    for (const shard of shards) {
      this.#lost.delete(shard);
      this.#received.delete(shard);
    }
  }
}

import { deviceKey } from '../../../src/index.ts';
import type { Clock } from '../../../src/internal.ts';
import { importCounters } from '../counter/table-counters.ts';
import type { DeviceState } from '../device/device-state.ts';
import type { ExportedCounters, InheritedCounters, PolledDevice } from '../device/polled-device.ts';

/** One of a device's further contexts. */
interface InContext {
  readonly context?: string | undefined;
}

/** What one collector hands to another, by address and port of the device. */
export type HandedCounters = Readonly<Record<string, readonly (ExportedCounters & InContext)[]>>;

/** The last counters of devices that move between collectors, so that their rates continue. */
export class CounterHandover {
  readonly #clock: Pick<Clock, 'now'>;
  /** By shard: devices that are polled no more, until another collector has them. */
  readonly #lost = new Map<number, PolledDevice[]>();
  /** By shard, then by address and port: what the last owner has read. */
  readonly #received = new Map<number, ReadonlyMap<string, readonly (InheritedCounters & InContext)[]>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  keep(polled: PolledDevice): void {
    const { shard } = polled.state;
    const known = this.#lost.get(shard);
    if (known === undefined) this.#lost.set(shard, [polled]);
    else known.push(polled);
  }

  /** Only of lost shards: the next owner of others cannot know which polls came after these counters. */
  collect(shard: number): HandedCounters {
    const handed: Record<string, (ExportedCounters & InContext)[]> = {};
    for (const polled of this.#lost.get(shard) ?? []) {
      const { device, context } = polled.state;
      const key = deviceKey(device.ref);
      const counters = polled.exportCounters().map((each) => ({ ...each, context }));
      if (counters.length > 0) handed[key] = [...(handed[key] ?? []), ...counters];
    }
    return handed;
  }

  restore(shard: number, handed: HandedCounters): void {
    const nowMs = this.#clock.now();
    const received = Object.entries(handed).map(
      ([key, tables]) =>
        [
          key,
          tables.map(({ context, everyMs, table, ...counters }) => {
            return { context, everyMs, table, counters: importCounters(counters, nowMs) };
          }),
        ] as const,
    );
    this.#received.set(shard, new Map(received));
  }

  receivedFor({ device, context, shard }: DeviceState): readonly InheritedCounters[] {
    const received = this.#received.get(shard)?.get(deviceKey(device.ref)) ?? [];
    return received.filter((each) => each.context === context);
  }

  forget(shards: Iterable<number>): void {
    for (const shard of shards) {
      this.#lost.delete(shard);
      this.#received.delete(shard);
    }
  }
}

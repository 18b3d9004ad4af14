import { type Batch, type Column, type DeviceIdentity, deviceKey } from '../../../../src/index.ts';
import { FadingMap, type GroupEntry } from '../../http/service.ts';
import { startedBy } from '../latest/started-time.ts';
import { type IdleEndsParts, startIdleEnds } from './idle-ends.ts';
import { endVanished, type LivedBatch } from './vanished-values.ts';

/** A batch on its way, and the one of the pipeline that it stands for; none for what only ends series. */
export type LivedEntry = GroupEntry<LivedBatch>;

interface DeviceLife {
  /** By record and plan: what was last on its way. */
  readonly views: FadingMap<LivedBatch>;
  startedMs: number | undefined;
}

/** Polls may be a day apart; what came no more has ended for its reader long before. */
const keepMs = 25 * 3_600_000;

interface DeviceEnd {
  readonly device: DeviceIdentity;
  readonly atMs: number;
}

/**
 * Knows which series of the devices live, for outputs that tell their reader when one has ended: when its value or its row is
 * missing from the next poll, or when its device goes down or away.
 */
export class SeriesLives {
  readonly #isLabel: (column: Column) => boolean;
  readonly #now: () => number;
  readonly #devices: FadingMap<DeviceLife>;
  #ends: DeviceEnd[] = [];

  /** `isLabel` says of which columns the values are labels, so that another value is another series. */
  constructor(isLabel: (column: Column) => boolean, now: () => number = Date.now) {
    this.#isLabel = isLabel;
    this.#now = now;
    this.#devices = new FadingMap(keepMs, now);
  }

  /** To be called when a device goes down or is removed; batches of earlier polls, even its first, may still be under way. */
  end({ ip, port }: DeviceIdentity, atMs: number): void {
    this.#ends.push({ device: { ip, port }, atMs });
  }

  /** The batches of a group in their order, and between them what ends series. Each group must come once. */
  follow(group: readonly Batch[]): LivedEntry[] {
    return group.flatMap((batch) => [...this.#endBefore(batch.timeMs), ...this.#live(batch)]);
  }

  /** What ends the series of the devices that have gone; to be asked for when no batch is under way any more. */
  takeEnds(): LivedEntry[] {
    return this.#endBefore(Number.POSITIVE_INFINITY);
  }

  /**
   * Has `write` send the ends, with what `takeEnds` answers, when nothing else is under way to send them along with. Answers a
   * function that stops it.
   */
  sendWhenIdle(parts: Omit<IdleEndsParts, 'hasEnds'>): () => Promise<void> {
    return startIdleEnds({ ...parts, hasEnds: () => this.#ends.length > 0 });
  }

  #endBefore(timeMs: number): LivedEntry[] {
    if (this.#ends.length === 0) return [];
    const due = this.#ends.filter(({ atMs }) => atMs < timeMs);
    this.#ends = this.#ends.filter(({ atMs }) => atMs >= timeMs);
    return due.flatMap((end) => this.#endDevice(end));
  }

  #endDevice({ device, atMs }: DeviceEnd): LivedEntry[] {
    const life = this.#devices.get(deviceKey(device));
    this.#devices.delete(deviceKey(device));
    return (life?.views.values() ?? []).map((view) => ({
      batch: {
        ...view,
        slotMs: Math.max(atMs, view.slotMs + 1),
        timeMs: atMs,
        ends: true,
      },
      origin: undefined,
    }));
  }

  #live(batch: Batch): LivedEntry[] {
    const key = deviceKey(batch.device);
    let life = this.#devices.get(key);
    if (life === undefined) {
      life = { views: new FadingMap(keepMs, this.#now), startedMs: undefined };
      this.#devices.set(key, life);
    }
    const view = `${batch.record}\n${batch.plan}`;
    const before = life.views.get(view);
    life.startedMs = startedBy(batch, life.startedMs);
    const lived = { ...batch, ends: false, startedMs: life.startedMs };
    life.views.set(view, lived);
    const vanished = before === undefined ? undefined : endVanished(before, batch, this.#isLabel);
    const entry = { batch: lived, origin: batch };
    return vanished === undefined ? [entry] : [{ batch: vanished, origin: undefined }, entry];
  }
}

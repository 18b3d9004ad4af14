import type { Batch, Column } from '../../model/batch.ts';
import { type DeviceIdentity, deviceKey } from '../../model/device.ts';
import { isOwnRecord } from '../../model/own-record.ts';
import { ExpiringMap } from '../expiring-map.ts';
import type { GroupEntry } from '../posting/request-part.ts';
import { findEndedSeries, type TrackedBatch } from './ended-series.ts';

/** A batch to send, and the batch of the pipeline that it stands for. `origin` is undefined for a batch that only ends series. */
export type TrackedEntry = GroupEntry<TrackedBatch>;

interface TrackedDevice {
  /** The last batch, by record and plan. */
  readonly last: ExpiringMap<TrackedBatch>;
}

/** Polls may be a day apart. A series without a value for longer has ended for its reader anyway. */
const keepMs = 25 * 3_600_000;

interface DeviceEnd {
  readonly device: DeviceIdentity;
  readonly atMs: number;
  readonly why: 'down' | 'removed';
}

/**
 * Knows the current series of every device, for outputs that mark the end of a series: when its value or its row is missing from the next
 * poll, or when its device goes down or is removed.
 */
export class SeriesTracker {
  readonly #isLabel: (column: Column) => boolean;
  readonly #now: () => number;
  readonly #devices: ExpiringMap<TrackedDevice>;
  #ends: DeviceEnd[] = [];

  /** `isLabel` selects the columns whose values are labels, so that a changed value is another series. */
  constructor(isLabel: (column: Column) => boolean, now: () => number = Date.now) {
    this.#isLabel = isLabel;
    this.#now = now;
    this.#devices = new ExpiringMap(keepMs, now);
  }

  /**
   * Call it when a device goes down or is removed. Batches of earlier polls, even the first one, may still be in the queue. Records about
   * the health of the device go on while it is down.
   */
  end({ ip, port }: DeviceIdentity, atMs: number, why: DeviceEnd['why'] = 'removed'): void {
    this.#ends.push({ device: { ip, port }, atMs, why });
  }

  /** Returns the batches of a group in their order, and between them the batches that end series. Pass each group once. */
  track(group: readonly Batch[]): TrackedEntry[] {
    return group.flatMap((batch) => [...this.#takeEndsBefore(batch.timeMs), ...this.#trackBatch(batch)]);
  }

  /** Whether devices have gone whose series are not ended yet. */
  get hasEnds(): boolean {
    return this.#ends.length > 0;
  }

  /** Returns the batches that end the series of the devices that have gone. Call it when the queue is empty. */
  takeEnds(): TrackedEntry[] {
    return this.#takeEndsBefore(Number.POSITIVE_INFINITY);
  }

  #takeEndsBefore(timeMs: number): TrackedEntry[] {
    if (this.#ends.length === 0) return [];
    const due = this.#ends.filter(({ atMs }) => atMs < timeMs);
    this.#ends = this.#ends.filter(({ atMs }) => atMs >= timeMs);
    return due.flatMap((end) => this.#endDevice(end));
  }

  #endDevice({ device, atMs, why }: DeviceEnd): TrackedEntry[] {
    const known = this.#devices.get(deviceKey(device))?.last;
    const ended = known?.values().filter(({ record }) => why === 'removed' || !isOwnRecord(record)) ?? [];
    for (const last of ended) known?.delete(recordKey(last));
    if (why === 'removed') this.#devices.delete(deviceKey(device));
    return ended.map((last) => ({
      batch: {
        ...last,
        slotMs: Math.max(atMs, last.slotMs + 1),
        timeMs: atMs,
        ends: true,
      },
      origin: undefined,
    }));
  }

  #trackBatch(batch: Batch): TrackedEntry[] {
    const identity = deviceKey(batch.device);
    let device = this.#devices.get(identity);
    if (device === undefined) {
      device = { last: new ExpiringMap(keepMs, this.#now) };
      this.#devices.set(identity, device);
    }
    const key = recordKey(batch);
    const before = device.last.get(key);
    const tracked = { ...batch, ends: false };
    device.last.set(key, tracked);
    const ended = before === undefined ? undefined : findEndedSeries(before, batch, this.#isLabel);
    const entry = { batch: tracked, origin: batch };
    return ended === undefined ? [entry] : [{ batch: ended, origin: undefined }, entry];
  }
}

function recordKey({ record, plan }: Batch): string {
  return `${record}\n${plan}`;
}

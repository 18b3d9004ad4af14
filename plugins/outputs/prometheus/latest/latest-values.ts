import { type Batch, type DeviceIdentity, deviceKey } from '../../../../src/index.ts';
import { isOwnRecord } from '../../../../src/model/index.ts';
import { SensorSplitter } from '../../../../src/output-kit/index.ts';
import { InfoLabels } from '../../../../src/output-kit/internal.ts';
import { buildView, type SeriesView, type ViewSettings, type ViewTools } from './series-view.ts';

/** The latest values of one device. */
export interface DeviceValues {
  /** By record and plan. */
  readonly views: Map<string, SeriesView>;
  /** By record and SNMPv3 context: the plan whose batches write the labels that only the info metric has. */
  readonly infoPlans: Map<string, string>;
  /** The device went down or was removed at this time. Earlier batches of it are ignored. */
  goneMs: number;
  /** It was removed at this time. Earlier batches about it are ignored too. */
  removedMs: number;
}

/** No batch waits in the queue for longer than this. */
const forgetAfterMs = 900_000;

/** The latest batch of every record of every device. */
export class LatestValues {
  readonly #tools: ViewTools;
  readonly #devices = new Map<string, DeviceValues>();
  readonly #sensors = new SensorSplitter();
  readonly #infoLabels: InfoLabels;
  #forgotMs = 0;

  constructor(settings: ViewSettings) {
    this.#tools = { ...settings, labelNames: new Map() };
    this.#infoLabels = new InfoLabels(settings.infoLabels ?? [], settings.naming);
  }

  /** `nowMs` is when it arrived: by default when it was measured. */
  take(given: Batch, nowMs = given.timeMs): void {
    const device = this.#getDevice(given.device);
    const batch = this.#infoLabels.move(this.#sensors.split(given), (each) => isInfoWriter(each, device));
    const key = `${batch.record}\n${batch.plan}`;
    const before = device.views.get(key);
    const endMs = isOwnRecord(batch.record) ? device.removedMs : device.goneMs;
    if (batch.timeMs <= endMs || batch.slotMs < (before?.batch.slotMs ?? 0)) return;
    dropReplaced(device.views, batch);
    device.views.set(key, buildView(batch, before, this.#tools, nowMs));
  }

  /** Ends every series of a device that is removed, or down: then those about its health stay. Its batches that are still in the queue are ignored. */
  end(identity: DeviceIdentity, nowMs: number, why: 'down' | 'removed' = 'removed'): void {
    // Without scrapes, nothing else would remove old values.
    if (this.#forgotMs + forgetAfterMs < nowMs) this.#forget(nowMs);
    const device = this.#getDevice(identity);
    const isRemoved = why === 'removed';
    for (const [key, { batch }] of device.views)
      if (isRemoved || !isOwnRecord(batch.record)) device.views.delete(key);
    device.goneMs = nowMs;
    if (isRemoved) device.removedMs = nowMs;
  }

  /** Ends every series of the devices that `isEnded` chooses. */
  endEach(isEnded: (device: DeviceIdentity) => boolean, nowMs: number): void {
    for (const { views } of [...this.#devices.values()]) {
      const [view] = views.values();
      if (view !== undefined && isEnded(view.batch.device)) this.end(view.batch.device, nowMs);
    }
  }

  /** The devices with current values. */
  *fresh(nowMs: number): Generator<DeviceValues> {
    this.#forget(nowMs);
    for (const device of this.#devices.values()) if (device.views.size > 0) yield device;
  }

  /** Removes stale views, and devices without any view. */
  #forget(nowMs: number): void {
    this.#forgotMs = nowMs;
    for (const [key, device] of this.#devices) {
      for (const [name, view] of device.views) if (view.staleAtMs < nowMs) device.views.delete(name);
      if (device.views.size === 0 && device.goneMs + forgetAfterMs < nowMs) this.#devices.delete(key);
    }
  }

  #getDevice(identity: DeviceIdentity): DeviceValues {
    const key = deviceKey(identity);
    let device = this.#devices.get(key);
    if (device === undefined) {
      device = { views: new Map(), infoPlans: new Map(), goneMs: 0, removedMs: 0 };
      this.#devices.set(key, device);
    }
    return device;
  }
}

/** The tag that distinguishes the SNMPv3 contexts of a device. Each context has its own plans. */
const contextTag = 'context';

/** The first plan of a record writes, until it has no view any more. */
function isInfoWriter({ record, plan, tags }: Batch, { views, infoPlans }: DeviceValues): boolean {
  const key = `${record}\n${tags[contextTag] ?? ''}`;
  const writer = infoPlans.get(key);
  if (writer === undefined || !views.has(`${record}\n${writer}`)) infoPlans.set(key, plan);
  return infoPlans.get(key) === plan;
}

/** Removes views of older definitions, by other plans, with the same fields of the record in the same context. */
function dropReplaced(views: Map<string, SeriesView>, batch: Batch): void {
  for (const [key, { batch: other }] of views) {
    if (other.record !== batch.record || other.plan === batch.plan) continue;
    if (other.generation >= batch.generation || other.tags[contextTag] !== batch.tags[contextTag]) continue;
    const fields = new Set(other.columns.map(({ field }) => field));
    if (batch.columns.some(({ field }) => fields.has(field))) views.delete(key);
  }
}

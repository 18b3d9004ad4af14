import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type DiscoveryCause,
  deviceKey,
  type EventBus,
  type EventMap,
  type Inventory,
} from '../../src/index.ts';
import { probePauseMs } from '../../src/internal.ts';
import type { GroupedDevice } from '../definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../device-registry/service.ts';
import { AddressWatch } from './address-watch.ts';
import type { InventoryStore } from './inventory-store.ts';
import { KnownDevice } from './known-device.ts';
import type { Schedule } from './rediscovery-plan.ts';
import type { Run } from './runs/run.ts';
import { type Failure, isSilence } from './runs/run-executor.ts';
import type { RunQueue } from './runs/run-queue.ts';
import type { Discovery, DiscoveryRun, RequestedRun } from './service.ts';

export interface KeeperParts {
  readonly registry: DeviceRegistry;
  readonly store: InventoryStore;
  readonly queue: RunQueue;
  readonly schedule: Schedule | undefined;
  /** How long after a failed first discovery the next try comes; once the device counts as down it doubles. */
  readonly retryMs: number;
  readonly now: () => number;
}

/** Decides when a device is discovered. What is not listed here never causes a discovery. */
export class DiscoveryKeeper implements Discovery {
  readonly #parts: KeeperParts;
  readonly #known = new Map<string, KnownDevice>();
  readonly #addresses: AddressWatch;
  #isChecking = false;
  #isClosed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#addresses = new AddressWatch({
      findInventory: (device) => parts.store.find(device),
      onMoved: (device) => void this.request(device, 'changed'),
    });
  }

  get runs(): readonly DiscoveryRun[] {
    return this.#parts.queue.runs;
  }

  findInventory(device: Device): Inventory | undefined {
    return this.#parts.store.find(device);
  }

  findRun(id: string): DiscoveryRun | undefined {
    return this.#parts.queue.runs.find((run) => run.id === id);
  }

  request(device: Device, cause: DiscoveryCause): RequestedRun {
    const { registry, queue } = this.#parts;
    clearTimeout(this.#known.get(deviceKey(device.ref))?.retry);
    // A poll under way may ask for one after its device was removed: nobody would forget what it finds.
    const isGone = registry.findDevice(device.ref.ip, device.ref.port) !== device;
    return isGone ? queue.refuse(device, cause) : queue.request(device, cause);
  }

  /** Devices without an inventory are discovered, those with an old one in the background. */
  begin(): void {
    for (const device of this.#parts.registry.devices()) this.#welcome(device);
    void this.check();
  }

  /** The groups that hold for each device: those of its settings, else those that its sysObjectID led to. */
  *groupedDevices(): Iterable<GroupedDevice> {
    for (const device of this.#parts.registry.devices()) {
      const { ref, settings } = device;
      const { deviceGroups = [], sysObjectId } = this.findInventory(device) ?? {};
      if (settings.device_groups === undefined) yield { ref, deviceGroups, sysObjectId };
      else yield { ref, deviceGroups: settings.device_groups };
    }
  }

  listen(events: EventBus): void {
    events.on('definitions.changed', (change) => this.#onDefinitions(change));
    events.on('device.added', ({ device }) => this.#with(device, (found) => this.#welcome(found)));
    events.on('device.removed', ({ device }) => this.#forget(device));
    events.on('device.changed', ({ device }) => this.#with(device, (found) => this.#onDeviceChanged(found)));
  }

  /** Asks for what has come due, between other work; does nothing while an earlier check goes on. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    let checked = 0;
    const silent: Device[] = [];
    for (const known of [...this.#known.values()]) {
      if (++checked % checkedAtOnce === 0) await setImmediate();
      if (this.#isClosed) return;
      const { device } = known;
      if (!isEnabled(device)) continue;
      this.#checkOne(known);
      if (device.status.state === 'down') silent.push(device);
    }
    this.#isChecking = false;
    await this.#addresses.look(silent);
  }

  #checkOne(known: KnownDevice): void {
    const { schedule, store, now } = this.#parts;
    const { device } = known;
    if (!known.hasRested(performance.now())) return;
    const inventory = store.find(device);
    if (inventory === undefined) return;
    if (device.status.state === 'down') {
      // It may answer to another of its credentials now.
      if (credentialsOf(device) > 1) this.request(device, 'changed');
    } else if (known.owed !== undefined || inventory.credential >= credentialsOf(device)) {
      this.request(device, known.owed ?? 'changed');
    } else if (schedule?.isDue(device, inventory, now())) {
      this.request(device, 'scheduled');
    }
  }

  /** Called after each run: keeps the device's state, and plans another try where nothing is known yet. */
  onContact(run: Run, failure: Failure | undefined): void {
    const { registry, store, retryMs } = this.#parts;
    const device = run.subject;
    if (failure === undefined) registry.reportContact(device, { answered: true });
    else if (isSilence(failure)) registry.reportContact(device, { answered: false, why: failure.message });
    const known = this.#known.get(deviceKey(device.ref));
    if (known?.device !== device) return;
    known.noteOutcome(run, failure, performance.now());
    if (failure === undefined || store.find(device) !== undefined || !isEnabled(device)) return;
    clearTimeout(known.retry);
    const pauseMs = probePauseMs(device.status, retryMs) ?? retryMs;
    known.retry = setTimeout(() => this.request(device, 'initial'), pauseMs);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const { retry } of this.#known.values()) clearTimeout(retry);
    return this.#parts.queue.close();
  }

  #welcome(device: Device): void {
    clearTimeout(this.#known.get(deviceKey(device.ref))?.retry);
    this.#known.set(deviceKey(device.ref), new KnownDevice(device, accessOf(device)));
    if (isEnabled(device) && this.#parts.store.find(device) === undefined) this.request(device, 'initial');
  }

  #forget(ref: Device['ref']): void {
    const known = this.#known.get(deviceKey(ref));
    if (known === undefined) return;
    clearTimeout(known.retry);
    this.#known.delete(deviceKey(ref));
    this.#parts.queue.cancel(known.device);
    this.#parts.store.delete(known.device);
  }

  /** Only new ways of asking call for a discovery: a change of definitions without force never does. */
  #onDeviceChanged(device: Device): void {
    const known = this.#known.get(deviceKey(device.ref));
    if (known === undefined) return;
    const isAskedAlike = isDeepStrictEqual(known.access, accessOf(device));
    known.access = accessOf(device);
    if (!isEnabled(device)) {
      clearTimeout(known.retry);
      this.#parts.queue.cancel(device, 'the device was disabled');
      return;
    }
    if (this.#parts.store.find(device) === undefined) this.request(device, 'initial');
    else if (!isAskedAlike) this.request(device, 'changed');
  }

  #onDefinitions({ affectedDevices, forceRediscovery }: EventMap['definitions.changed']): void {
    if (!forceRediscovery) return;
    for (const ref of affectedDevices) this.#with(ref, (device) => this.#force(device));
  }

  #force(device: Device): void {
    if (isEnabled(device)) this.request(device, 'forced');
  }

  #with({ ip, port }: Device['ref'], act: (device: Device) => void): void {
    const device = this.#parts.registry.findDevice(ip, port);
    if (device !== undefined) act(device);
  }
}

/** Devices that are looked at between other work: a millisecond's worth. */
const checkedAtOnce = 500;

function credentialsOf({ settings }: Device): number {
  const { version, communities = [], v3_credentials: users = [] } = settings;
  return String(version) === '3' ? users.length : communities.length;
}

function isEnabled({ settings }: Device): boolean {
  return settings.enabled !== false;
}

function accessOf({ settings }: Device): unknown {
  const { ip, port, version, communities, v3_credentials, context, contexts } = settings;
  return { ip, port, version, communities, v3_credentials, context, contexts };
}

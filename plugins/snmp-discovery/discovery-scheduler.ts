import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type DiscoveryCause,
  deviceKey,
  type EventBus,
  type EventMap,
  type Inventory,
} from '../../src/index.ts';
import { decodeInventory, encodeInventory, probePauseMs } from '../../src/model/index.ts';
import { type Shards, shardOf } from '../../src/sharding/index.ts';
import type { GroupedDevice } from '../definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../device-registry/service.ts';
import type { LearnedDevice, SnmpClient } from '../snmp-client/service.ts';
import { AddressWatch } from './device-addresses.ts';
import type { InventoryStore } from './inventory-store.ts';
import { KnownDevice } from './known-device.ts';
import type { Schedule } from './rediscovery-plan.ts';
import type { QueuedRun } from './runs/queued-run.ts';
import { type Failure, isSilence } from './runs/run-executor.ts';
import type { RunQueue } from './runs/run-queue.ts';
import type { Discovery, DiscoveryRun, PacketPace, RequestedRun } from './service.ts';

export interface SchedulerParts {
  readonly registry: DeviceRegistry;
  readonly shards: Pick<Shards, 'owns'>;
  readonly client: Pick<SnmpClient, 'exportDevice' | 'importDevice'>;
  readonly store: InventoryStore;
  readonly queue: RunQueue;
  readonly schedule: Schedule | undefined;
  /** Pause after a failed first discovery; it doubles with each failure once the device is down. */
  readonly retryMs: number;
  readonly now: () => number;
}

/** Decides when a device is discovered. Nothing else starts a discovery. */
export class DiscoveryScheduler implements Discovery {
  readonly #parts: SchedulerParts;
  /** Only devices of owned shards: other collectors remember theirs. */
  readonly #known = new Map<string, KnownDevice>();
  readonly #addresses: AddressWatch;
  #isChecking = false;
  #isClosed = false;

  constructor(parts: SchedulerParts) {
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

  request(device: Device, cause: DiscoveryCause, pace?: PacketPace): RequestedRun {
    const { registry, queue } = this.#parts;
    clearTimeout(this.#known.get(deviceKey(device.ref))?.retry);
    // A poll under way may request one after its device was removed, and nothing would delete the resulting inventory.
    const isGone = registry.findDevice(device.ref.ip, device.ref.port) !== device;
    if (isGone) return queue.refuse(device, cause);
    return this.#owns(device) ? queue.request(device, cause, pace) : queue.refuse(device, cause, notOwned);
  }

  get cuts(): ReadonlyMap<string, number> {
    return this.#parts.store.cuts;
  }

  suggest(device: Device, cause: 'reset' | 'changed', pace?: PacketPace): void {
    const known = this.#known.get(deviceKey(device.ref));
    if (known === undefined || known.maySuggest(performance.now())) this.request(device, cause, pace);
    else known.postponed ??= { cause, pace };
  }

  /** Requests discoveries of devices without an inventory, then of devices whose inventory is too old. */
  begin(): void {
    for (const device of this.#parts.registry.devices()) this.#addDevice(device);
    void this.check();
  }

  /** The groups of each device, from its settings or else from its sysObjectID, and whether it has tags of its own. */
  *groupedDevices(): Iterable<GroupedDevice> {
    for (const device of this.#parts.registry.devices()) {
      const { ref, settings, settingOrigins } = device;
      const { tags: origin = 'defaults' } = settingOrigins;
      const inheritsTags = origin === 'defaults';
      const inventory = this.findInventory(device);
      const deviceGroups = settings.device_groups ?? inventory?.deviceGroups ?? [];
      const isMatched = settings.device_groups === undefined && inventory !== undefined;
      const sysObjectId = isMatched ? (inventory.sysObjectId ?? zeroDotZero) : undefined;
      yield {
        ref,
        deviceGroups,
        sysObjectId,
        auto: inventory && answersOf(inventory),
        inheritsTags,
        ...(device.source === 'files' ? {} : { settings }),
        ...(inventory === undefined ? {} : { countInstances: () => countInstances(inventory) }),
      };
    }
  }

  listen(events: EventBus): void {
    events.on('definitions.changed', (change) => this.#onDefinitions(change));
    events.on('device.added', ({ device }) => this.#withDevice(device, (found) => this.#addDevice(found)));
    events.on('device.removed', ({ device }) => this.#removeDevice(device));
    events.on('device.changed', ({ device }) =>
      this.#withDevice(device, (found) => this.#onDeviceChanged(found)),
    );
  }

  /** Requests what is due, between other work. Does nothing while an earlier check goes on. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    let checked = 0;
    const silent: Device[] = [];
    for (const known of [...this.#known.values()]) {
      if (++checked % checkedPerSlice === 0) await setImmediate();
      if (this.#isClosed) return;
      const { device } = known;
      if (!isEnabled(device) || !this.#owns(device)) continue;
      this.#checkOne(known);
      if (device.status.state === 'down') silent.push(device);
    }
    this.#isChecking = false;
    await this.#addresses.check(silent);
  }

  #checkOne(known: KnownDevice): void {
    const { schedule, store, now } = this.#parts;
    const { device } = known;
    if (!known.mayBeRetried(performance.now())) return;
    if (known.postponed !== undefined && !known.maySuggest(performance.now())) return;
    const inventory = store.find(device);
    if (inventory === undefined) return;
    if (device.status.state === 'down') {
      // It may answer to another of its credentials.
      if (credentialsOf(device) > 1) this.request(device, 'changed');
    } else if (known.postponed !== undefined || inventory.credential >= credentialsOf(device)) {
      this.request(device, known.postponed?.cause ?? 'changed', known.postponed?.pace);
    } else if (schedule?.isDue(device, inventory, now())) {
      this.request(device, 'scheduled');
    }
  }

  /** Called after each run: reports the device's state, and schedules a retry when the device has no inventory yet. */
  onContact(run: QueuedRun, failure: Failure | undefined): void {
    const { registry, store, retryMs } = this.#parts;
    const device = run.subject;
    if (failure === undefined) registry.reportContact(device, { answered: true });
    else if (isSilence(failure)) registry.reportContact(device, { answered: false, why: failure.message });
    const known = this.#known.get(deviceKey(device.ref));
    if (known?.device !== device) return;
    known.recordOutcome(run, failure, performance.now());
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

  /** Discovers the devices of these shards that have no inventory yet. */
  gain(shards: Iterable<number>): void {
    for (const device of this.#parts.registry.devicesIn(shards)) this.#addDevice(device);
  }

  /** Ends the discoveries of the devices of these shards. */
  async lose(shards: Iterable<number>): Promise<void> {
    const { registry, queue } = this.#parts;
    const devices = [...registry.devicesIn(shards)];
    for (const { ref } of devices) this.#forgetDevice(ref);
    await queue.cancelAll(devices, notOwned);
  }

  /** What the next owner of the shard needs. */
  exportShard(shard: number): Record<string, unknown> {
    const { registry, store, client } = this.#parts;
    const states: Record<string, unknown> = {};
    for (const device of registry.devicesIn([shard])) {
      const inventory = store.find(device);
      if (inventory === undefined) continue;
      const learned = client.exportDevice(inventory.address, device.ref.port);
      states[deviceKey(device.ref)] = { inventory: encodeInventory(inventory), learned };
    }
    return states;
  }

  importShard(shard: number, states: Readonly<Record<string, unknown>>): void {
    const { registry, store, client } = this.#parts;
    for (const device of registry.devicesIn([shard])) {
      const state = states[deviceKey(device.ref)] as SavedDevice | undefined;
      const inventory = decodeInventory(state?.inventory);
      if (inventory === undefined) continue;
      void store.set(device, inventory);
      if (state?.learned !== undefined) client.importDevice(state.learned);
    }
  }

  /** Other collectors keep these inventories now. */
  forget(shards: Iterable<number>): void {
    for (const device of this.#parts.registry.devicesIn(shards)) this.#parts.store.delete(device);
  }

  #owns({ ref }: Device): boolean {
    return this.#parts.shards.owns(shardOf(ref));
  }

  #addDevice(device: Device): void {
    this.#forgetDevice(device.ref);
    if (!this.#owns(device)) return;
    this.#known.set(deviceKey(device.ref), new KnownDevice(device));
    if (isEnabled(device) && this.#parts.store.find(device) === undefined) this.request(device, 'initial');
  }

  #removeDevice(ref: Device['ref']): void {
    const known = this.#forgetDevice(ref);
    if (known !== undefined) this.#parts.queue.cancel(known.device);
    this.#parts.store.delete({ ref });
  }

  #forgetDevice(ref: Device['ref']): KnownDevice | undefined {
    const known = this.#known.get(deviceKey(ref));
    clearTimeout(known?.retry);
    this.#known.delete(deviceKey(ref));
    return known;
  }

  /** Only a new address or new credentials start a discovery. A change of definitions without force never does. */
  #onDeviceChanged(device: Device): void {
    const known = this.#known.get(deviceKey(device.ref));
    if (known === undefined) return;
    const hasSameAccess = isDeepStrictEqual(accessOf(known.settings), accessOf(device.settings));
    known.settings = device.settings;
    if (!isEnabled(device)) {
      clearTimeout(known.retry);
      this.#parts.queue.cancel(device, 'the device was disabled');
      return;
    }
    if (!this.#owns(device)) return;
    if (this.#parts.store.find(device) === undefined) this.request(device, 'initial');
    else if (!hasSameAccess) this.request(device, 'changed');
  }

  #onDefinitions({ affectedDevices, forceRediscovery }: EventMap['definitions.changed']): void {
    if (!forceRediscovery) return;
    for (const ref of affectedDevices) this.#withDevice(ref, (device) => this.#force(device));
  }

  /** A device that is new with these definitions is discovered when its `device.added` comes. */
  #force(device: Device): void {
    const isKnown = this.#known.has(deviceKey(device.ref));
    if (isKnown && isEnabled(device) && this.#owns(device)) this.request(device, 'forced');
  }

  #withDevice({ ip, port }: Device['ref'], act: (device: Device) => void): void {
    const device = this.#parts.registry.findDevice(ip, port);
    if (device !== undefined) act(device);
  }
}

/** What one collector hands to another about a device. */
interface SavedDevice {
  readonly inventory?: unknown;
  readonly learned?: LearnedDevice;
}

const notOwned = 'another member of the cluster owns the device';

/** With further contexts, each of which is polled too. */
function countInstances({ objects, contexts }: Inventory): Iterable<readonly [string, number]> {
  const counts = new Map<string, number>();
  for (const found of [objects, ...(contexts?.values() ?? [])]) {
    for (const [id, { instances }] of found) counts.set(id, (counts.get(id) ?? 0) + instances.length);
  }
  return counts;
}

/** The answers by which new definitions affect a device with `objects: auto`. */
function answersOf({ auto, objects, contexts }: Inventory): GroupedDevice['auto'] {
  if (auto === undefined) return undefined;
  const further = Array.from(contexts?.values() ?? [], (found) => [...found.keys()]).flat();
  return {
    roots: auto.roots,
    objects: new Set([...objects.keys(), ...Object.keys(auto.leftOut), ...further]),
  };
}

/** What an agent without a sysObjectID of its own should return (RFC 3418). */
const zeroDotZero = '0.0';

/** Devices that are checked before other work gets its turn: about a millisecond. */
const checkedPerSlice = 500;

function credentialsOf({ settings }: Device): number {
  const { version, communities = [], v3_credentials: users = [] } = settings;
  return String(version) === '3' ? users.length : communities.length;
}

function isEnabled({ settings }: Device): boolean {
  return settings.enabled !== false;
}

/** Only a difference there starts a discovery. */
function accessOf(settings: Device['settings']): unknown {
  const { ip, port, version, communities, v3_credentials, context, contexts } = settings;
  return { ip, port, version, communities, v3_credentials, context, contexts };
}

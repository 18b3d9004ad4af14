import { isDeepStrictEqual } from 'node:util';
import { deviceKey } from '../../src/index.ts';
import { deepFreeze } from '../../src/kernel/index.ts';
import { canonicalAddress, type DeviceStatus, newStatus } from '../../src/model/index.ts';
import { findNearestName } from '../../src/nearest-name.ts';
import { shardOf } from '../../src/sharding/index.ts';
import type { ConfiguredDevice } from '../definitions-loader/service.ts';
import type { Device } from './service.ts';

/** A device as one of the three sources supplies it. */
export type RegisteredDevice = ConfiguredDevice & Pick<Device, 'source'>;

/** A device inside the registry, which may change it. Other plugins have the same object and can only read it. */
export class DeviceEntry implements Device {
  #given: RegisteredDevice;
  #status: DeviceStatus;

  constructor(given: RegisteredDevice, status: DeviceStatus) {
    this.#given = deepFreeze(given);
    this.#status = deepFreeze(status);
    Object.freeze(this);
  }

  get ref(): Device['ref'] {
    return this.#given.ref;
  }

  get settings(): Device['settings'] {
    return this.#given.settings;
  }

  get settingOrigins(): Device['settingOrigins'] {
    return this.#given.settingOrigins;
  }

  get origin(): Device['origin'] {
    return this.#given.origin;
  }

  get source(): Device['source'] {
    return this.#given.source;
  }

  get status(): DeviceStatus {
    return this.#status;
  }

  setStatus(status: DeviceStatus): void {
    this.#status = deepFreeze(status);
  }

  /** Returns true when the name or a setting changed. Otherwise the objects of both stay the same. */
  update(given: RegisteredDevice): boolean {
    const { ref, settings } = this.#given;
    const isSame = ref.name === given.ref.name && isDeepStrictEqual(settings, given.settings);
    const { settingOrigins, origin, source } = given;
    this.#given = deepFreeze(isSame ? { ref, settings, settingOrigins, origin, source } : given);
    return !isSame;
  }
}

/** The differences that a new list made. */
export interface TableChange {
  readonly added: readonly Device[];
  readonly changed: readonly Device[];
  readonly removed: readonly Device[];
}

/** Devices by address and port, and by name. */
export class DeviceTable {
  readonly #byIdentity = new Map<string, DeviceEntry>();
  /** A list where several have the name. */
  readonly #byName = new Map<string, DeviceEntry | readonly DeviceEntry[]>();
  /** Built on demand: a collector without a cluster never needs it. */
  #byShard: ReadonlyMap<number, readonly DeviceEntry[]> | undefined;
  /** Built on demand, so that a late page needs no walk through all earlier ones; undefined after an addition or a removal. */
  #order: readonly DeviceEntry[] | undefined;

  get size(): number {
    return this.#byIdentity.size;
  }

  /** The devices at the time of the call, in the order of their addition, beginning with the `from`-th. */
  *values(from = 0): Generator<DeviceEntry, void> {
    this.#order ??= [...this.#byIdentity.values()];
    const order = this.#order;
    for (let position = from; position < order.length; position++) yield order[position]!;
  }

  *inShards(shards: Iterable<number>): Generator<DeviceEntry, void> {
    this.#byShard ??= groupByShard(this.#byIdentity.values());
    const devices = this.#byShard;
    for (const shard of shards) yield* devices.get(shard) ?? [];
  }

  find(ip: string, port: number): DeviceEntry | undefined {
    return this.#byIdentity.get(deviceKey({ ip: canonicalAddress(ip) ?? ip, port }));
  }

  findNamed(name: string): readonly DeviceEntry[] {
    const found = this.#byName.get(name) ?? [];
    return found instanceof DeviceEntry ? [found] : found;
  }

  findNearest(ip: string, port: number): DeviceEntry | undefined {
    const wanted = deviceKey({ ip: canonicalAddress(ip) ?? ip, port });
    const address = wanted.slice(0, wanted.lastIndexOf(' ') + 1);
    const begin = wanted.slice(0, Math.ceil(wanted.length / 2));
    const isLarge = this.size > maxCompared;
    const candidates: string[] = [];
    for (const [key, entry] of this.#byIdentity) {
      if (key.startsWith(address)) return entry;
      if (!isLarge || key.startsWith(begin)) candidates.push(key);
    }
    const nearest = findNearestName(wanted, candidates.slice(0, maxCompared));
    return nearest === undefined ? undefined : this.#byIdentity.get(nearest);
  }

  /** Replaces all devices. Of two with the same address and port the first one counts. Devices that stay keep their status. */
  replaceAll(devices: Iterable<RegisteredDevice>, nowMs: number): TableChange {
    const added: Device[] = [];
    const changed: Device[] = [];
    const gone = new Map(this.#byIdentity);
    const seen = new Set<string>();
    const status = newStatus(nowMs);
    this.#byName.clear();
    for (const device of devices) {
      const key = deviceKey(device.ref);
      if (seen.has(key)) continue;
      seen.add(key);
      gone.delete(key);
      const entry = this.#byIdentity.get(key);
      if (entry === undefined) added.push(this.#insert(key, device, status));
      else if (entry.update(device)) changed.push(entry);
      this.#addName(this.#byIdentity.get(key)!);
    }
    for (const key of gone.keys()) this.#byIdentity.delete(key);
    this.#forgetOrder();
    return { added, changed, removed: [...gone.values()] };
  }

  /** Adds a device, or changes the one with its address and port. Returns undefined when nothing changed. */
  put(device: RegisteredDevice, nowMs: number): 'added' | 'changed' | undefined {
    const key = deviceKey(device.ref);
    const entry = this.#byIdentity.get(key);
    if (entry === undefined) {
      this.#addName(this.#insert(key, device, newStatus(nowMs)));
      return 'added';
    }
    this.#removeName(entry);
    const isChanged = entry.update(device);
    this.#addName(entry);
    return isChanged ? 'changed' : undefined;
  }

  remove(entry: DeviceEntry): void {
    this.#forgetOrder();
    this.#byIdentity.delete(deviceKey(entry.ref));
    this.#removeName(entry);
  }

  #forgetOrder(): void {
    this.#order = undefined;
    this.#byShard = undefined;
  }

  #addName(entry: DeviceEntry): void {
    const { name } = entry.ref;
    const others = this.findNamed(name);
    this.#byName.set(name, others.length === 0 ? entry : [...others, entry]);
  }

  #removeName(entry: DeviceEntry): void {
    const { name } = entry.ref;
    const others = this.findNamed(name).filter((each) => each !== entry);
    if (others.length > 0) this.#byName.set(name, others);
    else this.#byName.delete(name);
  }

  #insert(key: string, device: RegisteredDevice, status: DeviceStatus): DeviceEntry {
    const entry = new DeviceEntry(device, status);
    this.#byIdentity.set(key, entry);
    this.#forgetOrder();
    return entry;
  }
}

function groupByShard(entries: Iterable<DeviceEntry>): Map<number, DeviceEntry[]> {
  const groups = new Map<number, DeviceEntry[]>();
  for (const entry of entries) {
    const shard = shardOf(entry.ref);
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** One comparison of spellings takes one or two microseconds: in larger tables only addresses with the same beginning are compared. */
const maxCompared = 5000;

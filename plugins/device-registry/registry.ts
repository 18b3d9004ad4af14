import { type DeviceIdentity, deviceKey, type EventBus, type SecretSources } from '../../src/index.ts';
import {
  advanceStatus,
  type Contact,
  type DeviceStatus,
  isDeviceStatus,
  newStatus,
} from '../../src/model/index.ts';
import type { Target } from '../../src/snmp/index.ts';
import type { ConfiguredDevice, Generation } from '../definitions-loader/service.ts';
import { DeviceEntry, DeviceTable, type RegisteredDevice } from './device-table.ts';
import type { FoundDevices } from './found-devices.ts';
import type { ManagedDevices } from './managed-devices.ts';
import { fillNetworkSettings, nameCredentials } from './network-settings.ts';
import type { Device, DeviceRegistry, FoundDevice, ManagedSettings } from './service.ts';
import { buildTargets } from './targets.ts';

export interface RegistryParts {
  readonly managed: ManagedDevices;
  readonly found: FoundDevices;
  /** The current definitions. */
  readonly generation: () => Generation;
  readonly secrets: SecretSources;
  /** In a cluster: resolves when the other members know what changed. */
  readonly whenShared?: () => Promise<void>;
  readonly events: EventBus;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Devices of the files, of the API and of scans, in this order of precedence, in one table. */
export class Registry implements DeviceRegistry {
  readonly #parts: RegistryParts;
  readonly #table = new DeviceTable();
  #fromFiles: readonly RegisteredDevice[] = [];

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#table.size;
  }

  devices(from = 0): Iterable<Device> {
    return this.#table.values(from);
  }

  devicesIn(shards: Iterable<number>): Iterable<Device> {
    return this.#table.inShards(shards);
  }

  findDevice(ip: string, port: number): Device | undefined {
    return this.#table.find(ip, port);
  }

  findNearestDevice(ip: string, port: number): Device | undefined {
    return this.#table.findNearest(ip, port);
  }

  findDeviceNamed(name: string): Device | undefined {
    return this.#table.findNamed(name)[0];
  }

  findDevicesNamed(name: string): readonly Device[] {
    return this.#table.findNamed(name);
  }

  getTargets(device: Pick<Device, 'settings'>, address: string, context?: string): readonly Target[] {
    return buildTargets(device.settings, address, this.#parts.secrets, context);
  }

  reportContact(device: Device, contact: Contact): void {
    if (!(device instanceof DeviceEntry)) return;
    const before = device.status;
    const status = advanceStatus(before, contact, this.#parts.now());
    if (status === before) return;
    const entry: DeviceEntry | undefined = this.#table.find(device.ref.ip, device.ref.port);
    if (entry === undefined || entry !== device) return;
    entry.setStatus(status);
    const { state, why } = status;
    if (state === before.state) return;
    this.#parts.events.emit('device.state', { device: entry.ref, from: before.state, to: state, why });
  }

  /** The states of the devices of a shard, for the collector that asks them next. */
  exportStatuses(shard: number): Record<string, DeviceStatus> {
    const known = [...this.#table.inShards([shard])].filter(({ status }) => status.state !== 'unknown');
    return Object.fromEntries(known.map(({ ref, status }) => [deviceKey(ref), status]));
  }

  importStatuses(shard: number, statuses: Readonly<Record<string, unknown>>): void {
    for (const entry of this.#table.inShards([shard])) {
      const status = statuses[deviceKey(entry.ref)];
      if (isDeviceStatus(status)) entry.setStatus(status);
    }
  }

  /** Another collector asks these devices: their states are unknown here. */
  forgetStatuses(shards: Iterable<number>): void {
    const status = newStatus(this.#parts.now(), 'another member of the cluster has asked it last');
    for (const entry of this.#table.inShards(shards)) entry.setStatus(status);
  }

  putManaged(name: string, settings: ManagedSettings): Device {
    const device = this.#parts.managed.put(name, settings, this.#parts.generation());
    const { ip, port } = device.ref;
    const known = this.#table.find(ip, port);
    if (known?.source === 'files') return known;
    return this.#put(device, apiCause);
  }

  removeManaged(ip: string, port: number): boolean {
    const device = this.#table.find(ip, port);
    if (device === undefined || !this.#parts.managed.remove(device.ref)) return false;
    if (device.source !== 'api') return true;
    const { found, generation } = this.#parts;
    const behind = found.find(device.ref, generation());
    if (behind === undefined) this.#remove(device, apiCause);
    else this.#put(behind, apiCause);
    return true;
  }

  putFound(found: FoundDevice): Device | undefined {
    const known = this.#table.find(found.ip, found.port);
    if (known !== undefined && known.source !== 'networks') return known;
    const isTaken = (name: string) => this.#table.findNamed(name).length > 0;
    const device = this.#parts.found.put(found, this.#parts.generation(), isTaken);
    return device && this.#put(device, scanCause(found.network));
  }

  findFound(ip: string, port: number): Pick<FoundDevice, 'network' | 'credential'> | undefined {
    const device = this.#table.find(ip, port);
    if (device?.source !== 'networks') return undefined;
    return this.#parts.found.findFacts(device.ref, this.#parts.generation());
  }

  getNetworkTargets(network: string): readonly Target[] {
    const generation = this.#parts.generation();
    const { definition } = generation.getNetwork(network);
    return nameCredentials(definition.credentials).flatMap((name) =>
      this.getTargets(fillNetworkSettings(definition, name, anyAddress, generation), anyAddress),
    );
  }

  removeFound(ip: string, port: number, cause: string): boolean {
    const device = this.#table.find(ip, port);
    if (device === undefined || !this.#parts.found.remove(device.ref)) return false;
    if (device.source === 'networks') this.#remove(device, cause);
    return true;
  }

  /** What another member of the cluster keeps about a device of the API; undefined when it was removed. */
  takeManaged(key: string, value: unknown): void {
    const { ip, port } = identityOfKey(key);
    if (value === undefined) {
      this.removeManaged(ip, port);
      return;
    }
    const device = this.#parts.managed.take(key, value, this.#parts.generation());
    if (device !== undefined && this.#table.find(ip, port)?.source !== 'files') this.#put(device, apiCause);
  }

  /** The same about a found device. */
  takeFound(key: string, value: unknown): void {
    const { ip, port } = identityOfKey(key);
    if (value === undefined) {
      this.removeFound(ip, port, memberCause);
      return;
    }
    const { found, generation } = this.#parts;
    const device = found.take(key, value, generation());
    if (device === undefined) return;
    const known = this.#table.find(ip, port);
    const facts = found.findFacts(device.ref, generation());
    if (known === undefined || known.source === 'networks') this.#put(device, scanCause(facts?.network));
  }

  whenShared(): Promise<void> {
    return this.#parts.whenShared?.() ?? Promise.resolve();
  }

  /** Replaces all devices of the definition files. */
  replaceFromFiles(devices: Iterable<ConfiguredDevice>): void {
    // Spelled out: each object that is made by spreading another one may get a hidden class of its own.
    this.#fromFiles = Array.from(devices, ({ ref, settings, settingOrigins, origin }) => ({
      ref,
      settings,
      settingOrigins,
      origin,
      source: 'files' as const,
    }));
    this.#replace('the definition files');
  }

  #put(device: RegisteredDevice, cause: string): Device {
    const change = this.#table.put(device, this.#parts.now());
    const entry = this.#table.find(device.ref.ip, device.ref.port)!;
    if (change !== undefined) this.#parts.events.emit(`device.${change}`, { device: entry.ref, cause });
    return entry;
  }

  #remove(entry: DeviceEntry, cause: string): void {
    this.#table.remove(entry);
    this.#parts.events.emit('device.removed', { device: entry.ref, cause });
  }

  #replace(cause: string): void {
    const { managed, found, generation, events, now } = this.#parts;
    const configured = [...this.#fromFiles, ...managed.list(generation())];
    const { added, changed, removed } = this.#table.replaceAll(
      [...configured, ...found.list(generation(), configured)],
      now(),
    );
    for (const { ref } of added) events.emit('device.added', { device: ref, cause });
    for (const { ref } of changed) events.emit('device.changed', { device: ref, cause });
    for (const { ref } of removed) events.emit('device.removed', { device: ref, cause });
  }
}

const apiCause = 'the API';
const memberCause = 'another member of the cluster';
const scanCause = (network = '') => `a scan of the network ${network}`;
/** A placeholder: the caller fills in the address. */
const anyAddress = '0.0.0.0';

/** The reverse of `deviceKey`. */
function identityOfKey(key: string): DeviceIdentity {
  const space = key.lastIndexOf(' ');
  return { ip: key.slice(0, space), port: Number(key.slice(space + 1)) };
}

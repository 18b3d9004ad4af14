import type { EventBus, SecretSources } from '../../src/index.ts';
import type { Target } from '../../src/snmp/index.ts';
import type { ConfiguredDevice } from '../definitions-loader/service.ts';
import { advanceStatus, type Contact } from './device-status.ts';
import { type DeviceEntry, DeviceTable } from './device-table.ts';
import type { ManagedDevices } from './managed-devices.ts';
import { type Device, type DeviceRegistry, isManaged, type ManagedSettings } from './service.ts';
import { buildTargets } from './targets.ts';

export interface RegistryParts {
  readonly managed: ManagedDevices;
  readonly secrets: SecretSources;
  readonly events: EventBus;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The registry: the devices of the files and those of the API in one table. A device of the files wins. */
export class Registry implements DeviceRegistry {
  readonly #parts: RegistryParts;
  readonly #table = new DeviceTable();
  #fromFiles: readonly ConfiguredDevice[] = [];

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#table.size;
  }

  devices(from = 0): Iterable<Device> {
    return this.#table.values(from);
  }

  findDevice(ip: string, port: number): Device | undefined {
    return this.#table.find(ip, port);
  }

  findNearestDevice(ip: string, port: number): Device | undefined {
    return this.#table.findNearest(ip, port);
  }

  findDeviceNamed(name: string): Device | undefined {
    return this.#table.findNamed(name);
  }

  getTargets(device: Device, address: string, context?: string): readonly Target[] {
    return buildTargets(device.settings, address, this.#parts.secrets, context);
  }

  reportContact(device: Device, contact: Contact): void {
    const entry: DeviceEntry | undefined = this.#table.find(device.ref.ip, device.ref.port);
    if (entry === undefined || entry !== device) return;
    const before = entry.status;
    entry.status = advanceStatus(before, contact, this.#parts.now());
    const { state, why } = entry.status;
    if (state === before.state) return;
    this.#parts.events.emit('device.state', { device: entry.ref, from: before.state, to: state, why });
  }

  putManaged(name: string, settings: ManagedSettings): Device {
    const { managed, events, now } = this.#parts;
    const device = managed.put(name, settings);
    const { ip, port } = device.ref;
    const known = this.#table.find(ip, port);
    if (known !== undefined && !isManaged(known)) return known;
    const change = this.#table.put(device, now());
    const entry = this.#table.find(ip, port)!;
    if (change !== undefined) events.emit(`device.${change}`, { device: entry.ref, cause: apiCause });
    return entry;
  }

  removeManaged(ip: string, port: number): boolean {
    const device = this.#table.find(ip, port);
    if (device === undefined || !this.#parts.managed.remove(device.ref)) return false;
    if (!isManaged(device)) return true;
    this.#table.remove(device);
    this.#parts.events.emit('device.removed', { device: device.ref, cause: apiCause });
    return true;
  }

  /** Takes the devices that the definition files have now. */
  replaceFromFiles(devices: Iterable<ConfiguredDevice>): void {
    this.#fromFiles = [...devices];
    this.#replace('the definition files');
  }

  #replace(cause: string): void {
    const { managed, events, now } = this.#parts;
    const { added, changed, removed } = this.#table.replaceAll(
      [...this.#fromFiles, ...managed.list()],
      now(),
    );
    for (const { ref } of added) events.emit('device.added', { device: ref, cause });
    for (const { ref } of changed) events.emit('device.changed', { device: ref, cause });
    for (const { ref } of removed) events.emit('device.removed', { device: ref, cause });
  }
}

const apiCause = 'the API';

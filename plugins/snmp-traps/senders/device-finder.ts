import type { DeviceRef, Inventory } from '../../../src/index.ts';
import {
  type AddressRange,
  canonicalAddress,
  containsRange,
  parseAddress,
} from '../../../src/model/index.ts';
import type { EngineState } from '../../../src/snmp/index.ts';
import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import type { ReceivedNotification } from '../receiving/wire-form.ts';

/** How the device of a notification was found. */
export type TrapIdentity = 'engine' | 'relay' | 'address' | 'interface' | 'none';

export interface IdentifiedDevice {
  readonly ref: DeviceRef;
  readonly tags: Readonly<Record<string, string>>;
  readonly identity: TrapIdentity;
  /** Undefined when no registered device was found. */
  readonly device: Device | undefined;
}

export interface FinderParts {
  readonly registry: Pick<DeviceRegistry, 'devices'>;
  readonly relays: readonly AddressRange[];
  findInventory(device: Device): Inventory | undefined;
  /** The engines that polling knows, by `address:port`. */
  listEngines(): readonly EngineState[];
}

/** The instances of these tables end with an address. */
const addressTables: Readonly<Record<string, (instance: string) => string | undefined>> = {
  'IP-MIB::ipAddrEntry': (instance) => instance,
  'IP-MIB::ipAddressEntry': (instance) => {
    const [type, length, ...octets] = instance.split('.');
    if (type === '1' && length === '4') return octets.join('.');
    if (type !== '2' || length !== '16') return undefined;
    const words = Array.from({ length: 8 }, (_, word) =>
      (Number(octets[2 * word]) * 256 + Number(octets[2 * word + 1])).toString(16),
    );
    return canonicalAddress(words.join(':'));
  },
};

/** Finds which device a notification is of. */
export class DeviceFinder {
  readonly #parts: FinderParts;
  #index: DeviceIndex | undefined;

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /** Devices, their addresses or their engines have changed. */
  forget(): void {
    this.#index = undefined;
  }

  find({ source, level, security, agentAddress }: ReceivedNotification): IdentifiedDevice {
    this.#index ??= indexDevices(this.#parts);
    const { byAddress, byEngine, byInterface } = this.#index;
    if (security !== undefined && level !== 'noAuthNoPriv') {
      const device = byEngine.get(security.engineId);
      if (device !== undefined && this.#maySendFrom(this.#index, source, device))
        return identified(device, 'engine');
    }
    const isRelayed = agentAddress !== undefined && this.#isRelay(source);
    const address = isRelayed ? (canonicalAddress(agentAddress) ?? agentAddress) : source;
    const own = byAddress.get(address);
    if (own !== undefined) return identified(own, isRelayed ? 'relay' : 'address');
    const other = byInterface.get(address);
    if (other !== undefined) return identified(other, isRelayed ? 'relay' : 'interface');
    return {
      ref: { name: address, ip: address, port: 0 },
      tags: noTags,
      identity: 'none',
      device: undefined,
    };
  }

  /** Not from an address of another device, unless that is a relay. */
  #maySendFrom({ hosts, byInterface }: DeviceIndex, source: string, device: Device): boolean {
    if (hosts.get(source)?.has(device) === true || byInterface.get(source) === device) return true;
    return this.#isRelay(source) || !(hosts.has(source) || byInterface.has(source));
  }

  #isRelay(source: string): boolean {
    const { relays } = this.#parts;
    if (relays.length === 0) return false;
    const range = parseAddress(source.split('%')[0]!);
    return range !== undefined && relays.some((network) => containsRange(network, range));
  }
}

const noTags: Readonly<Record<string, string>> = {};

function identified(device: Device, identity: TrapIdentity): IdentifiedDevice {
  return { ref: device.ref, tags: device.settings.tags ?? noTags, identity, device };
}

interface DeviceIndex {
  /** The devices that are asked at an address. */
  readonly hosts: ReadonlyMap<string, ReadonlySet<Device>>;
  readonly byAddress: ReadonlyMap<string, Device>;
  /** Engines that exactly one device has. */
  readonly byEngine: ReadonlyMap<string, Device>;
  /** Addresses that exactly one device has reported as its own. */
  readonly byInterface: ReadonlyMap<string, Device>;
}

function indexDevices({ registry, findInventory, listEngines }: FinderParts): DeviceIndex {
  const byAddress = new Map<string, Device>();
  const byTarget = new Map<string, Device>();
  const hosts = new Map<string, Set<Device>>();
  const interfaces = new UniqueMap();
  for (const device of registry.devices()) {
    const inventory = findInventory(device);
    const address = inventory?.address ?? device.ref.ip;
    byTarget.set(`${address}:${device.ref.port}`, device).set(`[${address}]:${device.ref.port}`, device);
    hosts.set(address, (hosts.get(address) ?? new Set()).add(device));
    // Of several ports, 161 is the one of the host itself.
    if (!byAddress.has(address) || device.ref.port === 161) byAddress.set(address, device);
    for (const [table, addressOf] of Object.entries(addressTables)) {
      for (const instance of inventory?.objects.get(table)?.instances ?? []) {
        const own = addressOf(instance);
        if (own !== undefined && !isShared(own)) interfaces.add(own, device);
      }
    }
  }
  const engines = new UniqueMap();
  for (const { address, engineId } of listEngines()) {
    const device = byTarget.get(address);
    if (device !== undefined) engines.add(engineId, device);
  }
  return { hosts, byAddress, byEngine: engines.unique(), byInterface: interfaces.unique() };
}

/** Loopback and link-local addresses are on every device. */
function isShared(address: string): boolean {
  return (
    address.startsWith('127.') || address === '::1' || address.startsWith('fe80:') || address === '0.0.0.0'
  );
}

/** Keeps what belongs to one device only. */
class UniqueMap {
  readonly #devices = new Map<string, Device | undefined>();

  add(key: string, device: Device): void {
    const known = this.#devices.get(key);
    if (!this.#devices.has(key)) this.#devices.set(key, device);
    else if (known !== device) this.#devices.set(key, undefined);
  }

  unique(): Map<string, Device> {
    return new Map([...this.#devices].filter((entry): entry is [string, Device] => entry[1] !== undefined));
  }
}

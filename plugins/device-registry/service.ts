import { type DeviceIdentity, type DeviceRef, type ServiceToken, serviceToken } from '../../src/index.ts';
import type { Contact, DeviceStatus } from '../../src/model/index.ts';
import type { Target } from '../../src/snmp/index.ts';
import type { ConfiguredDevice } from '../definitions-loader/service.ts';

export type { Contact, DeviceStatus } from '../../src/model/index.ts';

/** A device of this collector. It stays the same object while its address and port do; its settings and status may change. */
export interface Device {
  readonly ref: DeviceRef;
  readonly settings: ConfiguredDevice['settings'];
  /** Where each setting comes from. */
  readonly settingOrigins: ConfiguredDevice['settingOrigins'];
  /** The file and line of the device, or of the network in which it was found. Devices of the API have no file. */
  readonly origin: ConfiguredDevice['origin'];
  readonly source: DeviceSource;
  readonly status: DeviceStatus;
}

/** Where a device comes from: the definition files, the API, or a scan of a network, in this order of precedence. */
export type DeviceSource = 'files' | 'api' | 'networks';

/** A device that answered in a network of autodiscover/networks.yml. */
export interface FoundDevice extends DeviceIdentity {
  /** Its sysName. The device gets this name without unsafe characters, or its address. */
  readonly name: string;
  /** The id of the network. */
  readonly network: string;
  /** The position, in the network's list, of the credential that it answered. */
  readonly credential: number;
}

/** Every device, by address and port. All spellings of an IPv6 address mean the same device. */
export interface DeviceRegistry {
  readonly size: number;
  /** In the order in which they were added, beginning with the `from`-th. Changes during the iteration do not affect it. */
  devices(from?: number): Iterable<Device>;
  /** The devices of these shards, in no particular order. */
  devicesIn(shards: Iterable<number>): Iterable<Device>;
  findDevice(ip: string, port: number): Device | undefined;
  /** The device that a mistyped address probably means: the same address with another port, or the nearest spelling. */
  findNearestDevice(ip: string, port: number): Device | undefined;
  /** The first one, when several have the name. */
  findDeviceNamed(name: string): Device | undefined;
  /** All devices with this name: definition files may use a name that a device of the API has. */
  findDevicesNamed(name: string): readonly Device[];
  /**
   * How to ask a device at `address`, in the given context or its first one: one target per credential, in order. Resolves
   * the secrets now, and throws when one cannot be resolved. Targets contain secrets: pass them to the engine only.
   */
  getTargets(device: Pick<Device, 'settings'>, address: string, context?: string): readonly Target[];
  /** Reports the result of asking a device, which may change its state. Does nothing for a removed device. */
  reportContact(device: Device, contact: Contact): void;
  /**
   * Adds or replaces a device of the API, and stores it in the state directory. Its secrets must be references. If the
   * definition files have a device with the same address and port, that device hides this one and is returned. A found
   * device is replaced.
   */
  putManaged(name: string, settings: ManagedSettings): Device;
  /** Removes a device of the API. Returns false when there is none with that address and port. */
  removeManaged(ip: string, port: number): boolean;
  /**
   * Adds a device that was found in a network, or updates its credential. The state directory keeps its network and the
   * name of its credential, never a secret. The device exists as long as a network of the definitions contains its address.
   * If the definition files or the API have a device with the same address and port, that device is returned. Returns
   * undefined when no network contains the address.
   */
  putFound(found: FoundDevice): Device | undefined;
  /** The network in which a device was found, and the position of its credential; undefined for other devices. */
  findFound(ip: string, port: number): Pick<FoundDevice, 'network' | 'credential'> | undefined;
  /**
   * How to ask any address of a network: one target per credential, in order. The caller fills in the address. Throws when
   * there is no such network or a secret cannot be resolved. Targets contain secrets: pass them to the engine only.
   */
  getNetworkTargets(network: string): readonly Target[];
  /**
   * Resolves when the other members of a cluster know the devices that were put and removed here, or when that takes long: it is repeated
   * until they do.
   */
  whenShared?(): Promise<void>;
  /** Removes a found device, until a scan finds it again. Returns false when there is none with that address and port. */
  removeFound(ip: string, port: number, cause: string): boolean;
}

export type ManagedSettings = ConfiguredDevice['settings'];

export const deviceRegistryToken: ServiceToken<DeviceRegistry> =
  serviceToken<DeviceRegistry>('device-registry');

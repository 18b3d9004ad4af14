import { type DeviceIdentity, type DeviceRef, type ServiceToken, serviceToken } from '../../src/index.ts';
import type { Contact, DeviceStatus } from '../../src/internal.ts';
import type { Target } from '../../src/snmp/index.ts';
import type { ConfiguredDevice } from '../definitions-loader/service.ts';

export type { Contact, DeviceStatus } from '../../src/internal.ts';

/**
 * A device of this collector. The same object as long as its address and port stay: what changes are its settings and its
 * status.
 */
export interface Device {
  readonly ref: DeviceRef;
  readonly settings: ConfiguredDevice['settings'];
  /** Who gave each setting, and where the device, or the network it was found in, is written; of the API there is no file. */
  readonly settingOrigins: ConfiguredDevice['settingOrigins'];
  readonly origin: ConfiguredDevice['origin'];
  readonly source: DeviceSource;
  readonly status: DeviceStatus;
}

/** Who holds a device: the definition files, the API, or a network in which it answered. The first of them wins. */
export type DeviceSource = 'files' | 'api' | 'networks';

/** A device that answered in a network of autodiscover/networks.yml. */
export interface FoundDevice extends DeviceIdentity {
  /** What it calls itself: its name here is what is harmless of it and free, else its address. */
  readonly name: string;
  /** The id of the network. */
  readonly network: string;
  /** The position, among the network's, of the credential that it answered to. */
  readonly credential: number;
}

/** Every device, by address and port. Whatever the spelling of an IPv6 address, it is one device. */
export interface DeviceRegistry {
  readonly size: number;
  /** In the order they came, from the `from`-th on. Those that come and go meanwhile change nothing of what is iterated. */
  devices(from?: number): Iterable<Device>;
  findDevice(ip: string, port: number): Device | undefined;
  /** The one a person probably meant who asked for another: the same address, or the nearest spelling. */
  findNearestDevice(ip: string, port: number): Device | undefined;
  findDeviceNamed(name: string): Device | undefined;
  /**
   * How to ask a device at `address`, in its first context or the one given: one target a credential, in order. Secrets are
   * resolved now; throws when one cannot be. Targets hold secrets: for the engine alone.
   */
  getTargets(device: Pick<Device, 'settings'>, address: string, context?: string): readonly Target[];
  /** Tells what became of asking a device; moves its state. For a device that is gone it does nothing. */
  reportContact(device: Device, contact: Contact): void;
  /**
   * Adds or replaces a device that is kept in the state directory. Its secrets must be references. A device of the files
   * with that address and port hides it as long as it is there, and is returned instead; a found one gives way to it.
   */
  putManaged(name: string, settings: ManagedSettings): Device;
  /** Forgets a device of the API; false when there is none of that address and port. */
  removeManaged(ip: string, port: number): boolean;
  /**
   * Adds a device that was found in a network, or notes by which credential it answers now. It is kept in the state
   * directory by its network and credential, never with a secret, and is there as long as a network of the definitions
   * holds its address. A device of the files or of the API with that address and port is returned instead. Undefined when
   * no network holds the address.
   */
  putFound(found: FoundDevice): Device | undefined;
  /** In which network, and by which of its credentials, a device was found; undefined for one that was not. */
  findFound(ip: string, port: number): Pick<FoundDevice, 'network' | 'credential'> | undefined;
  /**
   * How to ask whoever is in a network, one target a credential, in order; the address is the caller's to fill in. Throws
   * when there is no such network or a secret cannot be resolved. Targets hold secrets: for the engine alone.
   */
  getNetworkTargets(network: string): readonly Target[];
  /** Forgets a found device, until it is found again; false when there is none of that address and port. */
  removeFound(ip: string, port: number, cause: string): boolean;
}

export type ManagedSettings = ConfiguredDevice['settings'];

export const deviceRegistryToken: ServiceToken<DeviceRegistry> =
  serviceToken<DeviceRegistry>('device-registry');

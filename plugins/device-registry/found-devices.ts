import { type DeviceIdentity, deviceKey } from '../../src/index.ts';
import {
  type AddressRange,
  canonicalAddress,
  parseAddress,
  parseNetwork,
  toSafeName,
} from '../../src/model/index.ts';
import type { JournalWriter } from '../../src/storage/index.ts';
import type { Generation, Located } from '../definitions-loader/service.ts';
import type { RegisteredDevice } from './device-table.ts';
import { fillNetworkSettings, type Network, nameCredentials } from './network-settings.ts';
import type { FoundDevice } from './service.ts';

/** What the state directory keeps of a found device. Its settings follow from the current definition of its network. */
interface StoredFound extends DeviceIdentity {
  readonly name: string;
  readonly network: string;
  readonly credential: string;
}

/** Devices that scans found, stored in the state directory by address and port, without secrets. */
export class FoundDevices {
  readonly #journal: JournalWriter;
  readonly #stored = new Map<string, StoredFound>();
  /** The devices as last listed: a device that a new generation does not change stays the same object. */
  readonly #known = new Map<string, KnownDevice>();
  readonly #ranges = new WeakMap<Network, readonly AddressRange[]>();
  /** The number of stored entries that are not found devices. They are ignored. */
  readonly foreign: number;

  constructor(journal: JournalWriter, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    let foreign = 0;
    for (const [key, value] of stored) {
      if (isStoredFound(value) && deviceKey(value) === key) this.#stored.set(key, value);
      else foreign++;
    }
    this.foreign = foreign;
  }

  /**
   * The devices that a network of this generation contains and that are not configured. A device whose name is taken by
   * now gets another name, and keeps it.
   */
  *list(generation: Generation, configured: readonly RegisteredDevice[]): Generator<RegisteredDevice, void> {
    if (this.#stored.size === 0) return;
    const names = new Set(configured.map(({ ref }) => ref.name));
    const keys = new Set(configured.map(({ ref }) => deviceKey(ref)));
    for (const [key, stored] of this.#stored) {
      if (keys.has(key)) continue;
      const name = findFreeName(stored.name, stored, (each) => names.has(each));
      names.add(name);
      if (name !== stored.name) this.#store(key, { ...stored, name });
      const device = this.#resolve(key, generation);
      if (device !== undefined) yield device;
    }
  }

  find(identity: DeviceIdentity, generation: Generation): RegisteredDevice | undefined {
    return this.#resolve(deviceKey(identity), generation);
  }

  /** The network that contains the device now, and the position of its credential there; 0 when the credential is gone. */
  findFacts(
    identity: DeviceIdentity,
    generation: Generation,
  ): Pick<FoundDevice, 'network' | 'credential'> | undefined {
    const stored = this.#stored.get(deviceKey(identity));
    const network = stored && this.#findNetwork(stored, generation);
    if (stored === undefined || network === undefined) return undefined;
    const position = nameCredentials(network.definition.credentials).indexOf(stored.credential);
    return { network: network.id, credential: Math.max(0, position) };
  }

  /** Stores a device, with the name it already has or a new one. Returns undefined when no network contains its address. */
  put(
    found: FoundDevice,
    generation: Generation,
    isTaken: (name: string) => boolean,
  ): RegisteredDevice | undefined {
    const identity = { ip: canonicalAddress(found.ip) ?? found.ip, port: found.port };
    const key = deviceKey(identity);
    const known = this.#stored.get(key);
    const name = known?.name ?? findFreeName(found.name, identity, isTaken);
    const credentials = generation.findNetwork(found.network)?.definition.credentials ?? [];
    const credential = nameCredentials(credentials)[found.credential] ?? '';
    if (known?.network !== found.network || known.credential !== credential) {
      this.#store(key, { ...identity, name, network: found.network, credential });
    }
    return this.#resolve(key, generation);
  }

  /** Takes over what another member of the cluster keeps. Returns undefined when it is none, or when no network contains it. */
  take(key: string, value: unknown, generation: Generation): RegisteredDevice | undefined {
    if (!isStoredFound(value) || deviceKey(value) !== key) return undefined;
    this.#store(key, value);
    return this.#resolve(key, generation);
  }

  /** Returns false when there is none with that address and port. */
  remove(identity: DeviceIdentity): boolean {
    const key = deviceKey(identity);
    this.#known.delete(key);
    if (!this.#stored.delete(key)) return false;
    this.#journal.delete(key);
    return true;
  }

  #store(key: string, stored: StoredFound): void {
    this.#stored.set(key, stored);
    this.#journal.set(key, stored);
    this.#journal.compactIfWasteful(this.#stored);
  }

  #resolve(key: string, generation: Generation): RegisteredDevice | undefined {
    const stored = this.#stored.get(key);
    const network = stored && this.#findNetwork(stored, generation);
    if (stored === undefined || network === undefined) {
      this.#known.delete(key);
      return undefined;
    }
    const known = this.#known.get(key);
    const { deviceDefaults } = generation.sections;
    if (
      known?.stored === stored &&
      known.network === network.definition &&
      known.deviceDefaults === deviceDefaults
    ) {
      return known.device;
    }
    const { name, ip, port, credential } = stored;
    const filled = fillNetworkSettings(network.definition, credential, ip, generation);
    const device = {
      ref: { name, ip, port },
      ...filled,
      origin: network.origin,
      source: 'networks' as const,
    };
    this.#known.set(key, { stored, network: network.definition, deviceDefaults, device });
    return device;
  }

  /** The network in which it was found, or the first one that contains its address and port. */
  #findNetwork(
    stored: StoredFound,
    generation: Generation,
  ): (Located<Network> & { readonly id: string }) | undefined {
    const address = parseAddress(stored.ip);
    if (address === undefined) return undefined;
    for (const id of [stored.network, ...generation.sections.networks.keys()]) {
      const network = generation.findNetwork(id);
      if (network !== undefined && this.#contains(network.definition, address, stored.port))
        return { ...network, id };
    }
    return undefined;
  }

  #contains(network: Network, { family, first: address }: AddressRange, port: number): boolean {
    if ((network.port ?? 161) !== port || network.credentials.length === 0) return false;
    let ranges = this.#ranges.get(network);
    if (ranges === undefined) {
      ranges = network.networks.flatMap((text) => parseNetwork(text) ?? []);
      this.#ranges.set(network, ranges);
    }
    return ranges.some((range) => range.family === family && range.first <= address && address <= range.last);
  }
}

interface KnownDevice {
  readonly stored: StoredFound;
  readonly network: Network;
  readonly deviceDefaults: ReadonlyMap<string, unknown>;
  readonly device: RegisteredDevice;
}

function isStoredFound(value: unknown): value is StoredFound {
  if (typeof value !== 'object' || value === null) return false;
  const { name, ip, port, network, credential } = value as Readonly<Record<string, unknown>>;
  return (
    [name, ip, network, credential].every((text) => typeof text === 'string') &&
    name !== '' &&
    Number.isInteger(port)
  );
}

/** A name for a device whose sysName is `wished`: without unsafe characters, and not taken by another device. */
function findFreeName(
  wished: string,
  { ip, port }: { readonly ip: string; readonly port: number },
  isTaken: (name: string) => boolean,
): string {
  for (const name of listNames(toSafeName(wished), `${toSafeName(ip)}-${port}`, toSafeName(ip))) {
    if (!isTaken(name)) return name;
  }
  throw new Error('unreachable: the list of names has no end');
}

function* listNames(wished: string, addressAndPort: string, address: string): Generator<string> {
  const begin = wished === '' ? '' : `${wished}-`;
  yield wished === '' ? address : wished;
  yield `${begin}${address}`;
  yield `${begin}${addressAndPort}`;
  for (let number = 2; ; number++) yield `${begin}${addressAndPort}-${number}`;
}

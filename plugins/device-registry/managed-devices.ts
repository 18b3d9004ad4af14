import {
  canonicalAddress,
  type DeviceIdentity,
  defineErrors,
  definitionSchemas,
  deviceKey,
  isSecretReference,
  type Journal,
  TypeCompiler,
} from '../../src/index.ts';
import type { RegisteredDevice } from './device-table.ts';
import { registryErrors } from './errors.ts';
import type { ManagedSettings } from './service.ts';

const failure = defineErrors(registryErrors);

/** The devices that came by the API, kept in the state directory by address and port. */
export class ManagedDevices {
  readonly #journal: Journal;
  readonly #devices = new Map<string, RegisteredDevice>();
  /** Stored entries that are no devices; they were left out. */
  readonly foreign: number;

  constructor(journal: Journal, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    let foreign = 0;
    for (const value of stored.values()) {
      if (isStoredDevice(value)) this.#keep(value);
      else foreign++;
    }
    this.foreign = foreign;
  }

  list(): Iterable<RegisteredDevice> {
    return this.#devices.values();
  }

  /** Adds or replaces the device of that address and port. */
  put(name: string, settings: ManagedSettings): RegisteredDevice {
    for (const secret of secretsOf(settings)) {
      if (!isSecretReference(secret)) throw failure('DEVICE_SECRET_PLAIN', { device: name });
    }
    const stored: StoredDevice = { name, settings };
    const device = this.#keep(stored);
    this.#journal.set(deviceKey(device.ref), stored);
    return device;
  }

  /** False when no device of the API has that address and port. */
  remove(identity: DeviceIdentity): boolean {
    const key = deviceKey(identity);
    this.#journal.delete(key);
    return this.#devices.delete(key);
  }

  #keep({ name, settings }: StoredDevice): RegisteredDevice {
    const ref = { name, ip: canonicalAddress(settings.ip) ?? settings.ip, port: settings.port ?? 161 };
    const settingOrigins = Object.fromEntries(Object.keys(settings).map((key) => [key, 'device' as const]));
    const device = { ref, settings, settingOrigins, origin: nowhere, source: 'api' as const };
    this.#devices.set(deviceKey(ref), device);
    return device;
  }
}

const nowhere = Object.freeze({ file: '', line: 0 });

interface StoredDevice {
  readonly name: string;
  readonly settings: ManagedSettings;
}

const deviceCheck = TypeCompiler.Compile(definitionSchemas.devices);

function isStoredDevice(value: unknown): value is StoredDevice {
  if (typeof value !== 'object' || value === null) return false;
  const { name, settings } = value as Partial<StoredDevice>;
  return typeof name === 'string' && deviceCheck.Check(settings);
}

function secretsOf({ communities = [], v3_credentials = [] }: ManagedSettings): string[] {
  const ofUsers = v3_credentials.flatMap((user) => [
    user.authentication_passphrase,
    user.privacy_passphrase,
    user.secret_key,
    user.privacy_key,
  ]);
  return [...communities, ...ofUsers].filter((secret) => secret !== undefined);
}

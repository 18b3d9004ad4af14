import { definitionSchemas } from '../../src/definitions/index.ts';
import { type DeviceIdentity, defineErrors, deviceKey } from '../../src/index.ts';
import { isSecretReference } from '../../src/kernel/index.ts';
import { canonicalAddress } from '../../src/model/index.ts';
import type { JournalWriter } from '../../src/storage/index.ts';
import { TypeCompiler } from '../../src/typebox.ts';
import type { Generation } from '../definitions-loader/service.ts';
import type { RegisteredDevice } from './device-table.ts';
import { registryErrors } from './errors.ts';
import type { ManagedSettings } from './service.ts';

const failure = defineErrors(registryErrors);

/** The devices of the API, stored in the state directory by address and port. */
export class ManagedDevices {
  readonly #journal: JournalWriter;
  readonly #stored = new Map<string, StoredDevice>();
  /** The devices as last listed: a device that new defaults do not change stays the same object. */
  readonly #filled = new Map<StoredDevice, FilledDevice>();
  /** The number of stored entries that are not devices. They are ignored. */
  readonly foreign: number;

  constructor(journal: JournalWriter, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    let foreign = 0;
    for (const value of stored.values()) {
      if (isStoredDevice(value)) this.#stored.set(deviceKey(identityOf(value)), value);
      else foreign++;
    }
    this.foreign = foreign;
  }

  /** With the defaults of this generation for settings that a device leaves out. */
  *list(generation: Generation): Generator<RegisteredDevice, void> {
    for (const stored of this.#stored.values()) yield this.#fill(stored, generation);
  }

  /** Adds the device, or replaces the one with its address and port. */
  put(name: string, settings: ManagedSettings, generation: Generation): RegisteredDevice {
    for (const secret of secretsOf(settings)) {
      if (!isSecretReference(secret)) throw failure('DEVICE_SECRET_PLAIN', { device: name });
    }
    const stored: StoredDevice = { name, settings };
    const key = deviceKey(identityOf(stored));
    this.#forgetFilled(key);
    this.#stored.set(key, stored);
    this.#journal.set(key, stored);
    return this.#fill(stored, generation);
  }

  /** Takes over what another member of the cluster keeps; undefined when it is no device of the API. */
  take(key: string, value: unknown, generation: Generation): RegisteredDevice | undefined {
    if (!isStoredDevice(value) || deviceKey(identityOf(value)) !== key) return undefined;
    return this.put(value.name, value.settings, generation);
  }

  /** Returns false when no device of the API has this address and port. */
  remove(identity: DeviceIdentity): boolean {
    const key = deviceKey(identity);
    this.#journal.delete(key);
    this.#forgetFilled(key);
    return this.#stored.delete(key);
  }

  #forgetFilled(key: string): void {
    const stored = this.#stored.get(key);
    if (stored !== undefined) this.#filled.delete(stored);
  }

  #fill(stored: StoredDevice, generation: Generation): RegisteredDevice {
    const { deviceDefaults } = generation.sections;
    const known = this.#filled.get(stored);
    if (known?.deviceDefaults === deviceDefaults) return known.device;
    const { name, settings } = stored;
    const filled = generation.fillDevice(name, { ...settings, ...identityOf(stored) });
    const device = {
      ...filled,
      settings: withoutPlainDefaults(filled.settings, settings),
      origin: nowhere,
      source: 'api' as const,
    };
    this.#filled.set(stored, { deviceDefaults, device });
    return device;
  }
}

/** A client that adds a device decides where secrets are sent, so the defaults' plain-text secrets are left out. */
function withoutPlainDefaults(filled: ManagedSettings, given: ManagedSettings): ManagedSettings {
  if (secretsOf(filled).every(isSecretReference)) return filled;
  const { communities: _, v3_credentials: __, ...others } = filled;
  const { communities, v3_credentials: users } = given;
  return { ...others, ...(communities && { communities }), ...(users && { v3_credentials: users }) };
}

interface FilledDevice {
  readonly deviceDefaults: ReadonlyMap<string, unknown>;
  readonly device: RegisteredDevice;
}

function identityOf({ settings }: StoredDevice): DeviceIdentity {
  return { ip: canonicalAddress(settings.ip) ?? settings.ip, port: settings.port ?? 161 };
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

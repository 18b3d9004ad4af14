import {
  type AutoAnswers,
  AutoCatalog,
  type CompiledGroup,
  type CompiledObject,
  type DefinitionSections,
  fillSettings,
  findDeviceGroup,
  type Origin,
  type RawDevice,
  type RawEntry,
} from '../../../src/definitions/index.ts';
import { type DeviceRef, type Oid, suggestName } from '../../../src/index.ts';
import { deviceRefOf } from '../device-ref.ts';
import { loaderFailure } from '../loader-errors.ts';
import type { CandidateReport, DefinitionCounts } from '../worker/worker-messages.ts';

/** A definition, and its file and line. */
export interface Located<Definition> {
  readonly definition: Definition;
  readonly origin: Origin;
}

/** A device as it is polled. Secrets are references, or plain text if the file has them so: never log them. */
export interface ConfiguredDevice {
  readonly ref: DeviceRef;
  readonly settings: RawDevice;
  /** Where each setting comes from. */
  readonly settingOrigins: Readonly<Record<string, 'device' | 'network' | 'defaults' | 'built-in'>>;
  readonly origin: Origin;
}

/** A device and the groups it belongs to, configured or found by its sysObjectID. */
export interface GroupedDevice {
  readonly ref: DeviceRef;
  readonly deviceGroups: readonly string[];
  /** The sysObjectID that led to its group; absent for a device whose settings name its groups. */
  readonly sysObjectId?: Oid | undefined;
  /** For a device with `objects: auto`: what it answered. */
  readonly auto?: AutoAnswers | undefined;
  /** Whether its tags are those of defaults/device.yml. */
  readonly inheritsTags?: boolean;
  /** Absent for a device of the files: these say it. */
  readonly settings?: RawDevice;
  /** The number of instances by object, as of its last discovery. */
  countInstances?(): Iterable<readonly [object: string, count: number]>;
}

export interface GenerationFacts {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly appliedMs: number;
  readonly requestedBy: string;
  readonly counts: DefinitionCounts;
  readonly warnings: CandidateReport['problems'];
}

/** One set of definitions that was or is in use. It never changes. */
export class Generation {
  readonly facts: GenerationFacts;
  readonly sections: DefinitionSections;
  /** Most devices set the same keys: they share one object. */
  readonly #origins = new Map<string, ConfiguredDevice['settingOrigins']>();
  #catalog: AutoCatalog | undefined;

  constructor(facts: GenerationFacts, sections: DefinitionSections) {
    this.facts = facts;
    this.sections = sections;
  }

  get number(): number {
    return this.facts.number;
  }

  /** Its objects, prepared for asking devices for them. */
  get catalog(): AutoCatalog {
    this.#catalog ??= new AutoCatalog(this.sections.objects);
    return this.#catalog;
  }

  findObject(id: string): Located<CompiledObject> | undefined {
    return locate(id, this.sections.objects, this.sections.objectOrigins);
  }

  getObject(id: string): Located<CompiledObject> {
    return this.findObject(id) ?? missing('object', id, this.sections.objects);
  }

  findObjectGroup(id: string): Located<CompiledGroup> | undefined {
    return locate(id, this.sections.objectGroups, this.sections.objectGroupOrigins);
  }

  getObjectGroup(id: string): Located<CompiledGroup> {
    return this.findObjectGroup(id) ?? missing('object group', id, this.sections.objectGroups);
  }

  findDeviceGroup(id: string): Located<CompiledGroup> | undefined {
    return locate(id, this.sections.deviceGroups, this.sections.deviceGroupOrigins);
  }

  getDeviceGroup(id: string): Located<CompiledGroup> {
    return this.findDeviceGroup(id) ?? missing('device group', id, this.sections.deviceGroups);
  }

  findDevice(name: string): ConfiguredDevice | undefined {
    const device = this.sections.devices.get(name);
    if (device === undefined) return undefined;
    const { settings, given } = device;
    return {
      ref: deviceRefOf(name, settings),
      settings,
      settingOrigins: this.#originsOf(settings, new Set(given)),
      origin: this.sections.deviceOrigins.get(name) ?? nowhere,
    };
  }

  /**
   * A device that is not in a file, with the defaults filled in. Credentials of another version than its own are not taken
   * from the defaults.
   */
  fillDevice(name: string, given: RawDevice): Omit<ConfiguredDevice, 'origin'> {
    const filled = fillSettings(Object.fromEntries(this.sections.deviceDefaults), given);
    const isGiven = new Set(Object.keys(given));
    const useless = filled.version === '3' ? 'communities' : 'v3_credentials';
    const { [useless]: _, ...useful } = filled;
    const settings = isGiven.has(useless) ? filled : useful;
    return {
      ref: deviceRefOf(name, settings),
      settings,
      settingOrigins: this.#originsOf(settings, isGiven),
    };
  }

  /** A network of autodiscover/networks.yml. Its secrets are as in the file: never log them. */
  findNetwork(id: string): Located<RawEntry<'networks'>> | undefined {
    return locate(id, this.sections.networks, this.sections.networkOrigins);
  }

  getDevice(name: string): ConfiguredDevice {
    return this.findDevice(name) ?? missing('device', name, this.sections.devices);
  }

  getNetwork(id: string): Located<RawEntry<'networks'>> {
    return this.findNetwork(id) ?? missing('network', id, this.sections.networks);
  }

  *devices(): Generator<ConfiguredDevice, void> {
    for (const name of this.sections.devices.keys()) yield this.getDevice(name);
  }

  /** Devices with their groups from the files. */
  *groupedDevices(): Generator<GroupedDevice, void> {
    for (const [name, { settings }] of this.sections.devices) {
      yield { ref: deviceRefOf(name, settings), deviceGroups: settings.device_groups ?? [] };
    }
  }

  /** The group of the exact entry, else of the longest prefix. */
  findDeviceGroupBySysObjectId(sysObjectId: Oid | undefined): string | undefined {
    return findDeviceGroup(this.sections, sysObjectId);
  }

  #originsOf(settings: RawDevice, isGiven: ReadonlySet<string>): ConfiguredDevice['settingOrigins'] {
    const { deviceDefaults } = this.sections;
    const keys = Object.keys(settings);
    const place = keys.map((key) => (isGiven.has(key) ? `${key}!` : key)).join(' ');
    const known = this.#origins.get(place);
    if (known !== undefined) return known;
    const origins = Object.freeze(
      Object.fromEntries(
        keys.map((key) => [
          key,
          isGiven.has(key) ? 'device' : deviceDefaults.has(key) ? 'defaults' : 'built-in',
        ]),
      ),
    ) as ConfiguredDevice['settingOrigins'];
    this.#origins.set(place, origins);
    return origins;
  }
}

const nowhere: Origin = { file: '', line: 1 };

function locate<Definition>(
  id: string,
  definitions: ReadonlyMap<string, Definition>,
  origins: ReadonlyMap<string, Origin>,
): Located<Definition> | undefined {
  const definition = definitions.get(id);
  return definition && { definition, origin: origins.get(id) ?? nowhere };
}

function missing(kind: string, id: string, known: ReadonlyMap<string, unknown>): never {
  throw loaderFailure('DEFINITION_UNKNOWN', { kind, id, suggestion: suggestName(id, known.keys()) });
}

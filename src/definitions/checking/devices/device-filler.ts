import { isDeepStrictEqual } from 'node:util';
import { definitionSchemas } from '../../schema/definition-kinds.ts';
import type { RawDefinitions, RawDevice, RawEntry } from '../../schema/raw-definitions.ts';

/** A device with every default filled in; `given` are the keys that its own entry has. */
export interface FilledDevice {
  readonly settings: RawDevice;
  readonly given: readonly string[];
}

/** Fills devices from the defaults. Returns the same object as before for a device whose settings did not change. */
export class DeviceFiller {
  #known: ReadonlyMap<string, FilledDevice & { readonly device: RawDevice }> = new Map();
  #defaults: RawEntry<'deviceDefaults'> | undefined;

  fill(raw: Pick<RawDefinitions, 'devices' | 'deviceDefaults'>): ReadonlyMap<string, FilledDevice> {
    const defaults = findDeviceDefaults(raw);
    const hasSameDefaults = defaults === this.#defaults;
    const filled = new Map<string, FilledDevice & { readonly device: RawDevice }>();
    for (const [name, device] of raw.devices) {
      const known = this.#known.get(name);
      if (known?.device === device && hasSameDefaults) {
        filled.set(name, known);
        continue;
      }
      const settings = fillSettings(defaults, device);
      const given = Object.keys(device);
      const isSame = isDeepStrictEqual(settings, known?.settings) && isDeepStrictEqual(given, known?.given);
      filled.set(name, { settings: isSame ? known!.settings : settings, given, device });
    }
    this.#known = filled;
    this.#defaults = defaults;
    return filled;
  }
}

/** A key that is present wins, whatever its value: `retries: 0` on a device overrides a default. */
export function fillSettings(defaults: RawEntry<'deviceDefaults'> | undefined, device: RawDevice): RawDevice {
  return withTextVersion({ ...builtInValues, ...defaults, ...device });
}

/** The number 3 and the text "3" are the same version. */
function withTextVersion(settings: RawDevice): RawDevice {
  const { version } = settings;
  return typeof version === 'number' ? { ...settings, version: version === 1 ? '1' : '3' } : settings;
}

/** The entry of the defaults file; undefined when there is none. */
export function findDeviceDefaults(
  raw: Pick<RawDefinitions, 'deviceDefaults'>,
): RawEntry<'deviceDefaults'> | undefined {
  return [...raw.deviceDefaults.values()].at(-1);
}

/** The defaults that the schema documents. */
const builtInValues: Partial<RawDevice> = Object.freeze(
  Object.fromEntries(
    Object.entries(definitionSchemas.devices.properties).flatMap(([key, schema]) =>
      schema['default'] === undefined ? [] : [[key, schema['default']]],
    ),
  ),
);

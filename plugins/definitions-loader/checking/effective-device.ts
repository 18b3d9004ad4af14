import { definitionSchemas, type RawDefinitions, type RawDevice, type RawEntry } from '../../../src/index.ts';

/** Where the value of a setting came from. */
export type SettingOrigin = 'device' | 'defaults' | 'built-in';

/** A device with every default filled in, and for each setting who said so. */
export interface EffectiveSettings {
  readonly values: RawDevice;
  readonly origins: Readonly<Record<string, SettingOrigin>>;
}

/** The defaults file's one entry; undefined where there is none. */
export function findDeviceDefaults(
  raw: Pick<RawDefinitions, 'deviceDefaults'>,
): RawEntry<'deviceDefaults'> | undefined {
  return [...raw.deviceDefaults.values()].at(-1);
}

/** Presence counts, not truthiness: `retries: 0` on a device overrides a default. */
export function fillDevice(device: RawDevice, defaults: RawEntry<'deviceDefaults'> = {}): EffectiveSettings {
  const origins: Record<string, SettingOrigin> = {};
  for (const key of Object.keys(builtInValues)) origins[key] = 'built-in';
  for (const key of Object.keys(defaults)) origins[key] = 'defaults';
  for (const key of Object.keys(device)) origins[key] = 'device';
  return { values: { ...builtInValues, ...defaults, ...device }, origins };
}

/** What the schema documents as default. */
const builtInValues: Partial<RawDevice> = Object.freeze(
  Object.fromEntries(
    Object.entries(definitionSchemas.devices.properties).flatMap(([key, schema]) =>
      schema['default'] === undefined ? [] : [[key, schema['default']]],
    ),
  ),
);

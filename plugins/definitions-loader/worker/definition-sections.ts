import type { CompiledDefinitions, Problem } from '../../../src/index.ts';
import type { CheckedSet } from '../checking/check-set.ts';
import { type FilledDevice, findDeviceDefaults } from '../checking/devices/device-filler.ts';

/** Where something is defined. */
export type Origin = Pick<Problem, 'file' | 'line'>;

/** All that the main thread knows of a set of definitions: maps of plain data that cross threads in pieces. */
export interface DefinitionSections extends Omit<CompiledDefinitions, 'devices' | 'networks'> {
  readonly devices: ReadonlyMap<string, FilledDevice>;
  readonly objectOrigins: ReadonlyMap<string, Origin>;
  readonly objectGroupOrigins: ReadonlyMap<string, Origin>;
  readonly deviceGroupOrigins: ReadonlyMap<string, Origin>;
  readonly deviceOrigins: ReadonlyMap<string, Origin>;
  /** The keys that the device defaults give. */
  readonly defaultKeys: ReadonlyMap<string, true>;
}

export type SectionName = keyof DefinitionSections;

export const sectionNames: readonly SectionName[] = [
  'objects',
  'records',
  'objectGroups',
  'deviceGroups',
  'enums',
  'oidNames',
  'deviceGroupsBySysObjectId',
  'everyMsByType',
  'devices',
  'objectOrigins',
  'objectGroupOrigins',
  'deviceGroupOrigins',
  'deviceOrigins',
  'defaultKeys',
];

export function sectionsOf({ compiled, devices, raw, origins }: CheckedSet): DefinitionSections {
  const defaults = findDeviceDefaults(raw);
  const { networks: _unused, ...shared } = compiled;
  return {
    ...shared,
    devices: new Map([...devices].map(([name, { settings, given }]) => [name, { settings, given }])),
    objectOrigins: originsOf(origins.objects),
    objectGroupOrigins: originsOf(origins.objectGroups),
    deviceGroupOrigins: originsOf(origins.deviceGroups),
    deviceOrigins: originsOf(origins.devices),
    defaultKeys: new Map(Object.keys(defaults ?? {}).map((key) => [key, true])),
  };
}

function originsOf(files: CheckedSet['origins']['objects']): Map<string, Origin> {
  return new Map(
    [...files].map(([id, { name, content }]) => [id, { file: name, line: content.lines.get(id) ?? 1 }]),
  );
}

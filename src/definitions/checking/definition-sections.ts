import type { Problem } from '../../model/definition-changes.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import type { CheckedSet } from './check-set.ts';
import { type FilledDevice, findDeviceDefaults } from './devices/device-filler.ts';

/** Where something is defined. */
export type Origin = Pick<Problem, 'file' | 'line'>;

/** What the main thread keeps of a set of definitions: maps of plain data that cross threads in pieces. */
export interface DefinitionSections extends Omit<CompiledDefinitions, 'devices'> {
  readonly devices: ReadonlyMap<string, FilledDevice>;
  readonly objectOrigins: ReadonlyMap<string, Origin>;
  readonly objectGroupOrigins: ReadonlyMap<string, Origin>;
  readonly deviceGroupOrigins: ReadonlyMap<string, Origin>;
  readonly deviceOrigins: ReadonlyMap<string, Origin>;
  readonly networkOrigins: ReadonlyMap<string, Origin>;
  /** The device defaults, by key. */
  readonly deviceDefaults: ReadonlyMap<string, unknown>;
}

export type SectionName = keyof DefinitionSections;

export const sectionNames: readonly SectionName[] = [
  'objects',
  'tables',
  'objectGroups',
  'deviceGroups',
  'notifications',
  'enums',
  'oidNames',
  'deviceGroupsBySysObjectId',
  'everyMsByType',
  'devices',
  'networks',
  'objectOrigins',
  'objectGroupOrigins',
  'deviceGroupOrigins',
  'deviceOrigins',
  'networkOrigins',
  'deviceDefaults',
];

export function sectionsOf({ compiled, devices, raw, origins }: CheckedSet): DefinitionSections {
  const defaults = findDeviceDefaults(raw);
  return {
    ...compiled,
    devices: new Map([...devices].map(([name, { settings, given }]) => [name, { settings, given }])),
    objectOrigins: originsOf(origins.objects),
    objectGroupOrigins: originsOf(origins.objectGroups),
    deviceGroupOrigins: originsOf(origins.deviceGroups),
    deviceOrigins: originsOf(origins.devices),
    networkOrigins: originsOf(origins.networks),
    deviceDefaults: new Map(Object.entries(defaults ?? {})),
  };
}

function originsOf(files: CheckedSet['origins']['objects']): Map<string, Origin> {
  return new Map(
    [...files].map(([id, { name, content }]) => [id, { file: name, line: content.lines.get(id) ?? 1 }]),
  );
}

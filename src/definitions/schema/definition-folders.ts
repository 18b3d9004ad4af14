import type { DefinitionKind } from './definition-kinds.ts';

/** The folders of a definition directory. Each can have further roots of its own. */
export const definitionFolders = [
  'defaults',
  'devices',
  'device_groups',
  'object_groups',
  'objects',
  'notifications',
  'enums',
  'autodiscover',
] as const;
export type DefinitionFolder = (typeof definitionFolders)[number];

/** The kind of the file at `path` inside `folder` (slashes between names); undefined for a file that is not read. */
export function findKindOf(folder: DefinitionFolder, path: string): DefinitionKind | undefined {
  switch (folder) {
    case 'defaults':
      return defaultFiles[stemOf(path)];
    case 'enums':
      return enumFolders[path.slice(0, Math.max(path.indexOf('/'), 0))];
    case 'autodiscover':
      if (path.startsWith('sysoids/')) return 'sysObjectIds';
      return stemOf(path) === 'networks' ? 'networks' : undefined;
    default:
      return wholeFolders[folder];
  }
}

const wholeFolders = {
  devices: 'devices',
  device_groups: 'deviceGroups',
  object_groups: 'objectGroups',
  objects: 'objects',
  notifications: 'notifications',
} as const;

const defaultFiles: Readonly<Record<string, DefinitionKind>> = {
  device: 'deviceDefaults',
  object_types: 'objectTypes',
};

const enumFolders: Readonly<Record<string, DefinitionKind>> = {
  integer: 'integerEnums',
  bitmap: 'bitmapEnums',
  oid: 'oidEnums',
};

function stemOf(path: string): string {
  return path.replace(/\.ya?ml$/, '');
}

import { join } from 'node:path';
import { type DefinitionFolder, definitionFolders } from '../../../src/definitions/index.ts';

/** Where definitions are read from, as configured. Paths are absolute. */
export interface DefinitionSources {
  /** The definitions that ship, before all others; undefined to leave them out. */
  readonly shipped?: string | undefined;
  /** Each holds `devices/`, `objects/` and so on. Where two define the same id, the later one wins. */
  readonly directories: readonly string[];
  /** Whether `directories` need not exist: the default one. */
  readonly mayBeMissing?: boolean;
  /** Directories that hold only one kind; they come after `directories`. */
  readonly paths?: { readonly [Folder in DefinitionFolder]?: readonly string[] | undefined } | undefined;
  /** When given, the other folders are not read. */
  readonly only?: readonly DefinitionFolder[];
}

/** One directory of one kind. */
export interface DefinitionRoot {
  readonly folder: DefinitionFolder;
  readonly directory: string;
  /** Prefix of file names in problems: `objects` of a definition directory, or the directory itself. */
  readonly label: string;
  /** Whether it may be missing: a definition directory need not have every folder. */
  readonly optional: boolean;
}

const shippedLabel = 'shipped/';

/** Whether a file, by its name in problems, is one of those that ship. */
export function isShippedFile(name: string): boolean {
  return name.startsWith(shippedLabel);
}

/** Every root; later ones win. */
export function listRoots({
  shipped,
  directories,
  paths = {},
  only = definitionFolders,
}: DefinitionSources): DefinitionRoot[] {
  return only.flatMap((folder) => [
    ...(shipped === undefined
      ? []
      : [{ folder, directory: join(shipped, folder), label: `${shippedLabel}${folder}`, optional: true }]),
    ...directories.map((directory) => ({
      folder,
      directory: join(directory, folder),
      label: directories.length === 1 ? folder : join(directory, folder),
      optional: true,
    })),
    ...(paths[folder] ?? []).map((directory) => ({ folder, directory, label: directory, optional: false })),
  ]);
}

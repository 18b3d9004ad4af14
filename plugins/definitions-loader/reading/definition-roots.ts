import { join } from 'node:path';
import { type DefinitionFolder, definitionFolders } from '../../../src/internal.ts';

/** Where definitions are read from, as configured. Paths are absolute. */
export interface DefinitionSources {
  /** Each holds `devices/`, `objects/` and so on; a later one wins by id. */
  readonly directories: readonly string[];
  /** Directories of one folder's kind alone, after `directories`. */
  readonly paths?: { readonly [Folder in DefinitionFolder]?: readonly string[] | undefined } | undefined;
}

/** One directory of one folder's kind. */
export interface DefinitionRoot {
  readonly folder: DefinitionFolder;
  readonly directory: string;
  /** What the names in problems start with: `objects` of a definition directory, or the directory itself. */
  readonly label: string;
  /** Whether it may be missing: a definition directory need not have every folder. */
  readonly optional: boolean;
}

/** Every root in the order in which later ones win. */
export function listRoots({ directories, paths = {} }: DefinitionSources): DefinitionRoot[] {
  return definitionFolders.flatMap((folder) => [
    ...directories.map((directory) => ({
      folder,
      directory: join(directory, folder),
      label: directories.length === 1 ? folder : join(directory, folder),
      optional: true,
    })),
    ...(paths[folder] ?? []).map((directory) => ({ folder, directory, label: directory, optional: false })),
  ]);
}

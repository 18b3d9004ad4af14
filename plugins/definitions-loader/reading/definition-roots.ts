import { join } from 'node:path';
import { type DefinitionFolder, definitionFolders } from '../../../src/internal.ts';

/** Where definitions are read from, as configured. Paths are absolute. */
export interface DefinitionSources {
  /** Each holds `devices/`, `objects/` and so on. Where two define the same id, the later one wins. */
  readonly directories: readonly string[];
  /** Directories that hold only one kind; they come after `directories`. */
  readonly paths?: { readonly [Folder in DefinitionFolder]?: readonly string[] | undefined } | undefined;
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

/** Every root; later ones win. */
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

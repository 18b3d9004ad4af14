import { type Dir, lstatSync, opendirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readingLimits } from '../../../src/definitions/index.ts';
import { ReadingProblem } from './reading-problem.ts';

/** A definition file below a root. */
export interface FoundFile {
  /** With every link followed. */
  readonly path: string;
  /** Below the root, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

/**
 * Every `.yml` and `.yaml` file below `directory`, sorted by name. Skips hidden entries, and refuses links that lead out of
 * the directory. `budget` is how many files are still allowed.
 */
export function findFiles(
  directory: string,
  budget: number,
  report: (problem: ReadingProblem, name: string) => void,
): FoundFile[] {
  const root = realpathSync(directory);
  const found: FoundFile[] = [];
  const visited = new Set<string>();

  const visitFolder = (path: string, name: string, depth: number): void => {
    if (visited.has(path)) return;
    visited.add(path);
    if (depth > readingLimits.maxFolderDepth) {
      const message = `Folders are nested more than ${readingLimits.maxFolderDepth} levels deep. Move the files up.`;
      throw new ReadingProblem('too-deep', message);
    }
    for (const entry of namesIn(path, readingLimits.maxFiles)) {
      const below = name === '' ? entry : `${name}/${entry}`;
      try {
        visitEntry(join(path, entry), below, depth);
      } catch (error) {
        if (error instanceof TooMany) throw error;
        report(ReadingProblem.from(error), below);
      }
    }
  };

  const visitEntry = (path: string, name: string, depth: number): void => {
    let stats = lstatSync(path, { throwIfNoEntry: false });
    // Removed since the folder was listed.
    if (stats === undefined) return;
    const isLink = stats.isSymbolicLink();
    const wanted = /\.ya?ml$/.test(name);
    if (!wanted && !stats.isDirectory() && !isLink) return;
    const real = isLink ? realpathSync(path) : path;
    if (isLink) {
      if (real !== root && !real.startsWith(root + sep)) {
        const message =
          'This link leads out of the directory. Copy the file here, or configure the directory that holds it.';
        throw new ReadingProblem('outside-directory', message);
      }
      stats = statSync(real);
    }
    if (stats.isDirectory()) visitFolder(real, name, depth + 1);
    else if (wanted) addFile({ path: real, name, bytes: stats.size });
  };

  const addFile = (file: FoundFile): void => {
    if (found.length >= budget) throw tooManyFiles();
    found.push(file);
  };

  visitFolder(root, '', 0);
  return found;
}

function namesIn(path: string, limit: number): string[] {
  const names: string[] = [];
  let folder: Dir | undefined;
  try {
    folder = opendirSync(path, { bufferSize: 512 });
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entry.name.startsWith('.')) continue;
      if (names.push(entry.name) > limit) throw tooManyFiles();
    }
  } finally {
    folder?.closeSync();
  }
  return names.sort();
}

/** Ends the search, where other problems only skip an entry. */
class TooMany extends ReadingProblem {}

function tooManyFiles(): TooMany {
  const message = `More than ${readingLimits.maxFiles} files. Join small files, or configure a smaller directory.`;
  return new TooMany('too-many-files', message);
}

import { dirname } from 'node:path';
import { type FileSystem, nodeFileSystem } from './file-system.ts';

/** Where a file stands until it is whole. */
export function unfinishedName(path: string): string {
  return `${path}.new`;
}

/**
 * Gives the file at `path` another content in one step, readable by its owner alone: whoever reads it, also after a crash, finds
 * the old one or the new one whole. The new one is on the disk when this returns; when it throws, nothing unfinished is left.
 */
export function replaceFile(path: string, parts: Iterable<string>, files: FileSystem = nodeFileSystem): void {
  const unfinished = unfinishedName(path);
  const directory = dirname(path);
  files.makeDirectory(directory);
  try {
    writeAll(files, unfinished, parts);
    files.rename(unfinished, path);
  } catch (error) {
    removeUnfinished(files, unfinished);
    throw error;
  }
  files.syncDirectoryNow(directory);
}

function writeAll(files: FileSystem, path: string, parts: Iterable<string>): void {
  const descriptor = files.open(path, 'replace');
  try {
    for (const part of parts) files.append(descriptor, Buffer.from(part));
    files.syncNow(descriptor);
  } finally {
    files.close(descriptor);
  }
}

/** The failure before it is the one to tell. */
function removeUnfinished(files: FileSystem, path: string): void {
  try {
    files.remove(path);
  } catch {}
}

import { dirname } from 'node:path';
import { type FileSystem, nodeFileSystem } from './file-system.ts';

/** The path of a file until it is complete. */
export function unfinishedName(path: string): string {
  return `${path}.new`;
}

/**
 * Replaces the content of the file at `path` in one step, readable only by its owner: a reader, even after a crash, finds either the old or
 * the new content, complete. The new content is synced to the disk when this returns. When it throws, no unfinished file is left.
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

/** Does not throw: the failure before it is the one to report. */
function removeUnfinished(files: FileSystem, path: string): void {
  try {
    files.remove(path);
  } catch {}
}

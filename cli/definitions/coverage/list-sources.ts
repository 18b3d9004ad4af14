import { statSync } from 'node:fs';
import { listFiles } from '../../listed-files.ts';

/** Endings of files that hold what a device answered. */
export const recordingName = /\.(?:snmprec|snmpwalk|walk)(?:\.gz)?$/;

/** The recordings in the folders that are named, at any depth, and everything else as it is. */
export function listSources(given: readonly string[]): {
  readonly sources: readonly string[];
  /** Whether more than one may come: a folder, or several sources. */
  readonly isSeries: boolean;
} {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const sources = given.flatMap((path) => (isFolder(path) ? listFiles(path, recordingName) : [path]));
  return { sources, isSeries: given.length > 1 || given.some(isFolder) };
}

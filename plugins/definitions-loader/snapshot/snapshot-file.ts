import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../src/storage/index.ts';
import { linesOf, parseSnapshot, type Snapshot, type SnapshotHeader } from './snapshot-form.ts';

/** The path of the snapshot in a state directory. */
export function snapshotPath(stateDirectory: string): string {
  return join(stateDirectory, 'definitions', 'last-good.ndjson');
}

/** Replaces the file in one step: a reader finds the complete old or new file, also after a crash. */
export function writeSnapshot(path: string, { generation, fingerprint, files }: Snapshot): void {
  replaceFile(path, linesOf({ format: 1, generation, fingerprint, files: files.length }, files));
}

/** The header of the snapshot at `path`, without reading the rest; undefined when there is none. */
export function readSnapshotHeader(path: string): Pick<Snapshot, 'generation' | 'fingerprint'> | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const start = Buffer.alloc(maxHeaderBytes);
    const text = start.toString('utf8', 0, readSync(descriptor, start));
    const { generation, fingerprint } = JSON.parse(text.slice(0, text.indexOf('\n'))) as SnapshotHeader;
    return { generation, fingerprint };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const maxHeaderBytes = 512;

/** The snapshot at `path`; undefined when there is none, or when it is incomplete. */
export function readSnapshot(path: string): Snapshot | undefined {
  try {
    return parseSnapshot(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

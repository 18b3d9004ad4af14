import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type FileSystem, nodeFileSystem } from '../file-system.ts';
import type { Cursor } from './cursor.ts';
import { findEnd, findSegments } from './found-segments.ts';
import { LogReader } from './log-reader.ts';
import type { Segment } from './segment.ts';

const group = { records: 100, bytes: 4 << 20, notBeforeMs: 0 };

export interface StoredGroup<Item> {
  readonly items: readonly Item[];
  /** Number of missing records. */
  readonly damaged: number;
}

/**
 * Reads a log on the disk in order, without changing it. For a directory, these are the waiting records, and all missing ones are counted.
 * For a single segment, these are all its records; a cut at its end cannot be detected. Undefined where there is no segment.
 */
export async function findStoredLog<Item>(
  path: string,
  decode: (record: Buffer) => Item,
): Promise<AsyncGenerator<StoredGroup<Item>> | undefined> {
  if (statSync(path).isDirectory()) {
    const { segments, cursor, hasSpare } = await findSegments(readOnly, path);
    return segments.length === 0 && !hasSpare ? undefined : readLog(segments, cursor, decode);
  }
  const alone = { ...readOnly, list: () => [basename(path)] };
  const [segment] = (await findSegments(alone, dirname(path))).segments;
  if (segment === undefined) return undefined;
  const { first } = segment;
  const next = Math.max(first, await findEnd(readOnly, segment));
  return readLog([segment], { stamp: 0, next, resume: first, holeFrom: first, holeTo: first }, decode);
}

const readOnly: FileSystem = { ...nodeFileSystem, open: (path) => nodeFileSystem.open(path, 'read') };

async function* readLog<Item>(
  segments: readonly Segment[],
  start: Cursor,
  decode: (record: Buffer) => Item,
): AsyncGenerator<StoredGroup<Item>> {
  const reader = new LogReader(readOnly, segments);
  try {
    for (let cursor = start; cursor.resume < cursor.next; ) {
      const { items, damaged, to } = await reader.read(() => cursor, group, decode);
      yield { items, damaged };
      cursor = passHole({ ...cursor, resume: to });
    }
  } finally {
    reader.close();
  }
}

/** Skips records that were dropped while earlier ones were being delivered. */
function passHole(cursor: Cursor): Cursor {
  const { resume, next, holeFrom, holeTo } = cursor;
  const isThere = holeFrom < holeTo && resume >= holeFrom;
  return isThere ? { ...cursor, resume: Math.max(resume, holeTo), holeFrom: next, holeTo: next } : cursor;
}

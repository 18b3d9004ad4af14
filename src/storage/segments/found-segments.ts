import { join } from 'node:path';
import { defineErrors } from '../../kernel/errors.ts';
import { isUnreadable } from '../disk-failure.ts';
import { storageErrors } from '../errors.ts';
import type { FileSystem } from '../file-system.ts';
import type { Cursor } from './cursor.ts';
import { spareName } from './cursor-files.ts';
import { listSegments, type Segment } from './segment.ts';
import { headerBytes, readHeader, segmentVersion } from './segment-header.ts';
import { SegmentReader } from './segment-reader.ts';

const failure = defineErrors(storageErrors);

/** What a process finds that an earlier one left. */
export interface FoundSegments {
  readonly segments: Segment[];
  readonly cursor: Cursor;
  /** Whether there is a file of spare cursors. */
  readonly hasSpare: boolean;
}

/**
 * Reads the headers of all segments and the records of the last: its end is the one that no later segment tells. Throws when
 * a segment is of a later version.
 */
export async function findSegments(
  files: FileSystem,
  directory: string,
  onUnreadable: (error: unknown) => void = () => {},
): Promise<FoundSegments> {
  const names = files.list(directory);
  const segments = listSegments(directory, names);
  const hasSpare = names.includes(spareName);
  const cursors: Cursor[] = [];
  const read = async (path: string) => {
    const { bytes, header } = await readHeaderOf(files, path, onUnreadable);
    const { version, createdMs, cursor } = header;
    if (version !== undefined && version > segmentVersion) {
      throw failure('QUEUE_OF_LATER_VERSION', { file: path, version });
    }
    if (cursor !== undefined) cursors.push(cursor);
    return { bytes, createdMs };
  };
  if (hasSpare) await read(join(directory, spareName));
  for (const segment of segments) {
    const { bytes, createdMs } = await read(segment.path);
    segment.bytes = bytes;
    segment.firstMs = createdMs;
  }
  // A process that was killed before the first record of a segment leaves that number to another one.
  segments.sort((a, b) => a.first - b.first || a.bytes - b.bytes);
  for (const [i, { firstMs }] of segments.entries()) if (i > 0) segments[i - 1]!.lastMs = firstMs;
  const first = segments[0]?.first ?? 1;
  const none = { stamp: 0, next: first, resume: first, holeFrom: first, holeTo: first };
  const found = cursors.reduce((newest, each) => (each.stamp > newest.stamp ? each : newest), none);
  const last = segments.at(-1);
  const next = Math.max(found.next, last?.first ?? 1, last === undefined ? 1 : await findEnd(files, last));
  return { segments, cursor: { ...found, next }, hasSpare };
}

/** A file or a header that the disk does not give back says nothing, as a damaged one does. */
async function readHeaderOf(files: FileSystem, path: string, onUnreadable: (error: unknown) => void) {
  let bytes = 0;
  let start: Buffer = Buffer.alloc(0);
  try {
    const descriptor = files.open(path, 'existing');
    try {
      bytes = files.size(descriptor);
      start = await files.read(descriptor, 0, headerBytes);
    } finally {
      files.close(descriptor);
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    onUnreadable(error);
  }
  return { bytes, header: readHeader(start) };
}

/** The number behind the last record that left a trace. */
export async function findEnd(files: FileSystem, segment: Segment): Promise<number> {
  const reader = tryOpen(files, segment);
  // Bytes that are no record are one record at least; which one, only the segment's name tells. So is a file that is not given back.
  if (reader === undefined) return segment.first + 1;
  try {
    await reader.skipTo(Infinity, segment.bytes);
    return Math.max(reader.nextNumber, segment.first + (segment.bytes > headerBytes ? 1 : 0));
  } finally {
    reader.close();
  }
}

function tryOpen(files: FileSystem, segment: Segment): SegmentReader | undefined {
  try {
    return new SegmentReader(files, segment, true);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return undefined;
  }
}

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

/** The state of a log that an earlier process left. */
export interface FoundSegments {
  readonly segments: Segment[];
  readonly cursor: Cursor;
  /** Whether the spare file of cursors exists. */
  readonly hasSpare: boolean;
}

/**
 * Reads the headers of all segments, and the records of the last one to find its end; the end of any other segment follows from the next
 * one. Throws when a segment has a later version.
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
  // A process that was killed before the first record of a segment leaves an empty one with the same number.
  segments.sort((a, b) => a.first - b.first || a.bytes - b.bytes);
  for (const [i, { firstMs }] of segments.entries()) if (i > 0) segments[i - 1]!.lastMs = firstMs;
  const first = segments[0]?.first ?? 1;
  const none = { stamp: 0, next: first, resume: first, holeFrom: first, holeTo: first };
  const found = cursors.reduce((newest, each) => (each.stamp > newest.stamp ? each : newest), none);
  const last = segments.at(-1);
  // The spare file is created after the first record, so records are lost when neither file says anything.
  const isEmptied = hasSpare && cursors.length === 0 && last !== undefined && last.bytes < headerBytes;
  const end = last === undefined ? 1 : await findEnd(files, last);
  const next = Math.max(found.next, end, (last?.first ?? 1) + (isEmptied ? 1 : 0));
  return { segments, cursor: { ...found, next }, hasSpare };
}

/** An unreadable file or header counts as a damaged one. */
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

/** The number after the last record of which anything was found. */
export async function findEnd(files: FileSystem, segment: Segment): Promise<number> {
  const reader = tryOpen(files, segment);
  // Unrecognisable bytes are at least one record, whose number only the name of the segment tells. So is an unreadable file.
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

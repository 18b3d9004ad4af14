import { defineErrors } from '../../kernel/errors.ts';
import { storageErrors } from '../errors.ts';
import type { Cursor } from './cursor.ts';
import type { FileLayer } from './file-layer.ts';
import { listSegments, type Segment } from './segment.ts';
import { headerBytes, readHeader, segmentVersion } from './segment-header.ts';
import { SegmentReader } from './segment-reader.ts';

const failure = defineErrors(storageErrors);

/** What a process finds that an earlier one left. */
export interface FoundSegments {
  readonly segments: Segment[];
  readonly cursor: Cursor;
}

/**
 * Reads the headers of all segments and the records of the last: its end is the one that no later segment tells. Throws when
 * a segment is of a later version.
 */
export async function findSegments(files: FileLayer, directory: string): Promise<FoundSegments> {
  const segments = listSegments(directory, files.list(directory));
  let newest: Cursor | undefined;
  for (const [i, segment] of segments.entries()) {
    const { version, createdMs, cursor } = await readHeaderOf(files, segment);
    if (version !== undefined && version > segmentVersion) {
      throw failure('QUEUE_OF_LATER_VERSION', { file: segment.path, version });
    }
    segment.firstMs = createdMs;
    if (i > 0) segments[i - 1]!.lastMs = createdMs;
    if (cursor !== undefined && cursor.stamp > (newest?.stamp ?? 0)) newest = cursor;
  }
  const first = segments[0]?.first ?? 1;
  const found = newest ?? { stamp: 0, next: first, resume: first, holeFrom: first, holeTo: first };
  const last = segments.at(-1);
  const next = Math.max(found.next, last?.first ?? 1, last === undefined ? 1 : await findEnd(files, last));
  return { segments, cursor: { ...found, next } };
}

async function readHeaderOf(files: FileLayer, segment: Segment) {
  const descriptor = files.open(segment.path, 'existing');
  try {
    segment.bytes = files.size(descriptor);
    return readHeader(await files.read(descriptor, 0, headerBytes));
  } finally {
    files.close(descriptor);
  }
}

/** The number behind the last record that left a trace. */
export async function findEnd(files: FileLayer, segment: Segment): Promise<number> {
  const reader = new SegmentReader(files, segment);
  try {
    await reader.skipTo(Infinity, segment.bytes);
    // Bytes that are no record are one record at least; which one, only the segment's name tells.
    return Math.max(reader.nextNumber, segment.first + (segment.bytes > headerBytes ? 1 : 0));
  } finally {
    reader.close();
  }
}

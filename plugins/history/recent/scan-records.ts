import {
  type FileSystem,
  type FrameHead,
  findFrameHead,
  frameBytes,
  isIntact,
} from '../../../src/storage/index.ts';

const scanBytes = 1 << 20;
const maxRecordBytes = 1 << 28;

/** A record of a file, or a damaged place. */
export type ScannedRecord =
  | { readonly record: Buffer; readonly head: FrameHead; readonly at: number; readonly end: number }
  /** `end` is undefined when it is not known where the next record begins. */
  | { readonly record: undefined; readonly head: FrameHead | undefined; readonly end: number | undefined };

/** Finds the records of a file. Reading goes on behind a damaged place. */
export async function* scanRecords(
  files: FileSystem,
  descriptor: number,
  { marker, from }: { readonly marker: number; readonly from: number },
): AsyncGenerator<ScannedRecord> {
  const size = files.size(descriptor);
  let bytes: Buffer = Buffer.alloc(0);
  let start = from;
  let isSkipping = false;
  for (let at = from; at + frameBytes <= size; ) {
    if (at + frameBytes > start + bytes.length || at < start) {
      bytes = await files.read(descriptor, at, scanBytes);
      start = at;
    }
    const head = findFrameHead(bytes, at - start, marker);
    const end = at + frameBytes + (head?.length ?? 0);
    // The process ended while it wrote this record, which was not flushed yet.
    if (head !== undefined && end > size) return;
    if (head === undefined || head.length > maxRecordBytes) {
      if (!isSkipping) yield { record: undefined, head: undefined, end: undefined };
      isSkipping = true;
      at = nextMarker(bytes, at + 1 - start, marker) + start;
      continue;
    }
    if (end > start + bytes.length) {
      bytes = await files.read(descriptor, at, frameBytes + head.length);
      start = at;
    }
    const record = bytes.subarray(at - start + frameBytes, end - start);
    isSkipping = false;
    yield isIntact(record, head) ? { record, head, at, end } : { record: undefined, head, end };
    at = end;
  }
}

/** The position of the marker from `from` on, or the last position that may begin one. */
function nextMarker(bytes: Buffer, from: number, marker: number): number {
  const sought = Buffer.alloc(4);
  sought.writeUInt32LE(marker);
  const found = bytes.indexOf(sought, from);
  return found === -1 ? Math.max(from, bytes.length - frameBytes + 1) : found;
}

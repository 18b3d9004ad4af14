import { crc32 } from 'node:zlib';

/**
 * The frame before each record of a segment: the marker of the segment, the length of the record, its number and its time (doubles), the
 * checksum of the record and the checksum of these 28 bytes. The marker is secret, so that no record can contain bytes that look like
 * another record.
 */
export const frameBytes = 32;

export interface FrameHead {
  readonly length: number;
  readonly number: number;
  readonly timeMs: number;
  readonly checksum: number;
}

export function writeFrameHead(
  head: Buffer,
  marker: number,
  number: number,
  timeMs: number,
  record: Uint8Array,
): void {
  head.writeUInt32LE(marker, 0);
  head.writeUInt32LE(record.length, 4);
  head.writeDoubleLE(number, 8);
  head.writeDoubleLE(timeMs, 16);
  head.writeUInt32LE(crc32(record), 24);
  head.writeUInt32LE(crc32(head.subarray(0, 28)), 28);
}

/** Reads the frame at `at`. Undefined where there is none. */
export function findFrameHead(bytes: Buffer, at: number, marker: number): FrameHead | undefined {
  if (at + frameBytes > bytes.length || bytes.readUInt32LE(at) !== marker) return undefined;
  if (crc32(bytes.subarray(at, at + 28)) !== bytes.readUInt32LE(at + 28)) return undefined;
  const number = bytes.readDoubleLE(at + 8);
  if (!Number.isSafeInteger(number) || number < 0) return undefined;
  return {
    length: bytes.readUInt32LE(at + 4),
    number,
    timeMs: bytes.readDoubleLE(at + 16),
    checksum: bytes.readUInt32LE(at + 24),
  };
}

export function isIntact(record: Uint8Array, { checksum }: FrameHead): boolean {
  return crc32(record) === checksum;
}

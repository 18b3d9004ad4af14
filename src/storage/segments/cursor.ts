import { crc32 } from 'node:zlib';

/** How far a log has been read, and what is known of its end. The newest one in any header of the log is valid. */
export interface Cursor {
  /** Increases with every cursor that is written. */
  readonly stamp: number;
  /** The number of the next record to write, as far as that is known. */
  readonly next: number;
  /** The first record that has not been read. */
  readonly resume: number;
  /** Records after `resume` that were dropped while earlier ones were being delivered: first, and first not dropped. */
  readonly holeFrom: number;
  readonly holeTo: number;
}

/** Two places in turn, so that a torn write leaves the cursor before it. */
export function placeOfCursor({ stamp }: Cursor): number {
  return 64 + 64 * (stamp % 2);
}

export function encodeCursor({ stamp, next, resume, holeFrom, holeTo }: Cursor): Buffer {
  const bytes = Buffer.alloc(44);
  for (const [i, value] of [stamp, next, resume, holeFrom, holeTo].entries())
    bytes.writeDoubleLE(value, 8 * i);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40);
  return bytes;
}

/** Reads the cursor in one of the two places of a header. Undefined where it is damaged or missing. */
export function findCursor(header: Buffer, slot: number): Cursor | undefined {
  const start = 64 + 64 * slot;
  if (header.length < start + 44) return undefined;
  if (crc32(header.subarray(start, start + 40)) !== header.readUInt32LE(start + 40)) return undefined;
  const [stamp, next, resume, holeFrom, holeTo] = [0, 1, 2, 3, 4].map((i) =>
    header.readDoubleLE(start + 8 * i),
  ) as [number, number, number, number, number];
  const cursor = { stamp, next, resume, holeFrom, holeTo };
  const isSound = Object.values(cursor).every((value) => Number.isSafeInteger(value) && value >= 0);
  const isOrdered = resume <= next && holeFrom <= holeTo && holeTo <= next;
  return isSound && isOrdered && stamp > 0 ? cursor : undefined;
}

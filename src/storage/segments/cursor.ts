import { crc32 } from 'node:zlib';

/** How far a log has been read, and what is known of its end. The newest one in any header of the log holds. */
export interface Cursor {
  /** Grows with every cursor that is written. */
  readonly stamp: number;
  /** The number that the next record gets: what was written so far, as far as that is known. */
  readonly next: number;
  /** The first record that still has a reader to come. */
  readonly resume: number;
  /** Records behind `resume` that were dropped while those before them were under delivery: from, and to without it. */
  readonly holeFrom: number;
  readonly holeTo: number;
}

/** Two places in turn: a cursor that is torn leaves the one before it. */
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

/** The cursor in one of the two places of a header; undefined where none is whole. */
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

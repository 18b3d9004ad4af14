import { crc32 } from 'node:zlib';
import { type Cursor, findCursor } from './cursor.ts';

/** Where the first record of a segment begins. */
export const headerBytes = 256;

/** Magic, version and the time of the first record, then two places for cursors. */
export function createHeader(createdMs: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write(magic, 'latin1');
  header.writeUInt32LE(segmentVersion, 8);
  header.writeDoubleLE(createdMs, 16);
  header.writeUInt32LE(crc32(header.subarray(0, 24)), 24);
  return header;
}

export interface HeaderContent {
  /** Undefined where the header is damaged. The segment can be read without it. */
  readonly version: number | undefined;
  readonly createdMs: number | undefined;
  readonly cursor: Cursor | undefined;
}

export function readHeader(header: Buffer): HeaderContent {
  const isWhole =
    header.length >= 28 &&
    header.toString('latin1', 0, 8) === magic &&
    crc32(header.subarray(0, 24)) === header.readUInt32LE(24);
  const cursors = [0, 1].flatMap((slot) => findCursor(header, slot) ?? []);
  cursors.sort((a, b) => b.stamp - a.stamp);
  return {
    version: isWhole ? header.readUInt32LE(8) : undefined,
    createdMs: isWhole ? header.readDoubleLE(16) : undefined,
    cursor: cursors[0],
  };
}

/** Version 1 had no spare file of cursors. Everything else is the same. */
export const segmentVersion = 2;
const magic = 'WWQUEUE\n';

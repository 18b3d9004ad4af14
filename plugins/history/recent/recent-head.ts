import { readVersion } from '../chunk/file-version.ts';

const magic = Buffer.from('waywiser recent 2\n');
const mark = /^waywiser recent (\d+)\n/;
const newest = 2;
const markerBytes = 4;
const lengthBytes = 6;

/**
 * The first bytes of a file of recent polls: its form, the marker of its records, and since form 2 how long the file was when it was last
 * written. A file that is shorter was cut.
 */
export interface RecentHead {
  readonly marker: number;
  readonly bytes: number;
  /** Undefined in form 1. */
  readonly fileBytes: number | undefined;
}

/** So many bytes have every head. */
export const mostHeadBytes = magic.length + markerBytes + lengthBytes;
/** Where the length of the file is. */
export const lengthAt = magic.length + markerBytes;

export function packHead(marker: number): Buffer {
  const head = Buffer.alloc(mostHeadBytes);
  magic.copy(head);
  head.writeUInt32LE(marker, magic.length);
  packLength(mostHeadBytes).copy(head, lengthAt);
  return head;
}

export function packLength(fileBytes: number): Buffer {
  const packed = Buffer.alloc(lengthBytes);
  packed.writeUIntLE(fileBytes, 0, lengthBytes);
  return packed;
}

/** Undefined when the bytes are no head. Throws a NewerFileFault for a form that is not known. */
export function unpackHead(bytes: Buffer): RecentHead | undefined {
  const version = readVersion(bytes, mark, newest);
  const size = version === 1 ? lengthAt : mostHeadBytes;
  if (version === undefined || bytes.length < size) return undefined;
  return {
    marker: bytes.readUInt32LE(magic.length),
    bytes: size,
    fileBytes: version === 1 ? undefined : bytes.readUIntLE(lengthAt, lengthBytes),
  };
}

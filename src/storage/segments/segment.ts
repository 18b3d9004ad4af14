import { join } from 'node:path';

/** One file of a log. Its name has everything needed to read it: the number of its first record, and its marker. */
export interface Segment {
  readonly path: string;
  readonly first: number;
  readonly marker: number;
  /** Size of the file, including its header. 0 until it is known. */
  bytes: number;
  /** When its first and its last record were written. Undefined where that is not known. */
  firstMs: number | undefined;
  lastMs: number | undefined;
}

export function segmentPath(directory: string, first: number, marker: number): string {
  return join(
    directory,
    `${String(first).padStart(16, '0')}-${marker.toString(16).padStart(8, '0')}.segment`,
  );
}

/** Finds the segments among the names of a directory, and ignores other files. */
export function listSegments(directory: string, names: readonly string[]): Segment[] {
  return names.flatMap((name) => {
    const [, first, marker] = /^(\d{16})-([0-9a-f]{8})\.segment$/.exec(name) ?? [];
    if (first === undefined || marker === undefined || !Number.isSafeInteger(Number(first))) return [];
    const path = join(directory, name);
    const facts = { bytes: 0, firstMs: undefined, lastMs: undefined };
    return [{ path, first: Number(first), marker: Number.parseInt(marker, 16), ...facts }];
  });
}

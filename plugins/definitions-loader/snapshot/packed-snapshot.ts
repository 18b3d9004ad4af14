import { gunzipSync, gzipSync } from 'node:zlib';
import { linesOf, parseSnapshot, type Snapshot } from './snapshot-form.ts';

/** A snapshot for other collectors: compressed, and equal for equal files. */
export function packSnapshot({ generation, fingerprint, files }: Snapshot): Uint8Array {
  const header = { format: 1, generation, fingerprint, files: files.length } as const;
  return gzipSync([...linesOf(header, files)].join(''));
}

export function unpackSnapshot(packed: Uint8Array): Snapshot {
  const snapshot = parseSnapshot(gunzipSync(packed, { maxOutputLength: maxUnpackedBytes }).toString('utf8'));
  if (snapshot === undefined) throw new Error('the definitions of the cluster are incomplete');
  return snapshot;
}

const maxUnpackedBytes = 256 << 20;

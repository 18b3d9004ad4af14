import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CheckedFile } from '../../../src/definitions/index.ts';
import { type EntriesWithSecrets, entriesWithSecrets, removeSecrets } from './plain-secrets.ts';

/** What a snapshot of these files does not have, compressed. For the memory of this process only. */
export function packSecrets(files: readonly CheckedFile[]): Uint8Array {
  const entries = [...entriesWithSecrets(files)].filter(
    ([, entry]) => !isDeepStrictEqual(entry, removeSecrets(entry)),
  );
  return gzipSync(JSON.stringify(entries));
}

export function unpackSecrets(packed: Uint8Array): EntriesWithSecrets {
  return new Map(JSON.parse(gunzipSync(packed).toString('utf8')) as [string, unknown][]);
}

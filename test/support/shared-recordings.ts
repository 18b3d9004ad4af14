import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from './long-run.ts';
import { missingShared, sharedPath } from './needs.ts';

/** Every run reads the recordings of small devices; `npm run long` reads all. */
const quickBytes = 60_000;

/** The paths of the shared recordings, in the order of their names. None where there is no such folder. */
export function listSharedRecordings(): string[] {
  if (missingShared('recordings')) return [];
  const folder = sharedPath('recordings');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.snmprec.gz'))
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => isLong || statSync(path).size < quickBytes);
}

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OfflineSet } from '../../../plugins/definitions-loader/offline.ts';
import { cliFailure } from '../cli-errors.ts';

/** Reads a definition directory with the code of definitions-loader. Throws when there is no such directory. */
export async function loadOffline(directory: string, secretsDirectory?: string): Promise<OfflineSet> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw cliFailure('DEFINITIONS_DIRECTORY_MISSING', { directory });
  }
  const { readDefinitions } = await import('../../../plugins/definitions-loader/offline.ts');
  const secrets = secretsDirectory === undefined ? undefined : resolve(secretsDirectory);
  return readDefinitions({ directories: [resolve(directory)] }, secrets);
}

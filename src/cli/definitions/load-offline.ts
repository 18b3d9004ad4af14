import { resolve } from 'node:path';
import type { OfflineSet } from '../../../plugins/definitions-loader/offline.ts';

/** Reads a definition directory with the loader's own code, which is loaded only now. */
export async function loadOffline(directory: string, secretsDirectory?: string): Promise<OfflineSet> {
  const { readDefinitions } = await import('../../../plugins/definitions-loader/offline.ts');
  const secrets = secretsDirectory === undefined ? undefined : resolve(secretsDirectory);
  return readDefinitions({ directories: [resolve(directory)] }, secrets);
}

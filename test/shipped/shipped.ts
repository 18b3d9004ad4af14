import { fileURLToPath } from 'node:url';
import { readDefinitions } from '../../plugins/definitions-loader/offline.ts';

export const shippedDirectory = fileURLToPath(new URL('../../definitions/', import.meta.url));

/** The shipped definitions as the loader reads them, and all problems. */
export function loadShippedDefinitions() {
  const { raw, compiled, problems } = readDefinitions({ directories: [shippedDirectory] });
  return { raw, compiled, objects: compiled.objects, problems };
}

import { fileURLToPath } from 'node:url';
import { readDefinitions } from '../../plugins/definitions-loader/offline.ts';

export const shippedDirectory = fileURLToPath(new URL('../../definitions/', import.meta.url));

/** What the loader makes of the shipped files, and all that it complains about. */
export function loadShippedDefinitions() {
  const { raw, compiled, problems } = readDefinitions({ directories: [shippedDirectory] });
  return { raw, compiled, objects: compiled.objects, problems };
}

import { fileURLToPath } from 'node:url';
import { readDefinitions } from '../../plugins/definitions-loader/commands.ts';

export const shippedDirectory = fileURLToPath(new URL('../../definitions/', import.meta.url));

/** The shipped definitions as the loader reads them, and all problems. */
export function loadShippedDefinitions() {
  loaded ??= load();
  return loaded;
}

let loaded: ReturnType<typeof load> | undefined;

function load() {
  const { raw, compiled, problems } = readDefinitions({ directories: [shippedDirectory] });
  return { raw, compiled, objects: compiled.objects, problems };
}

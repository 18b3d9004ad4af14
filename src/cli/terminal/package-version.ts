import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version in our own package.json, which is two folders up in the source and three in dist. */
export function packageVersion(): string {
  for (let directory = dirname(fileURLToPath(import.meta.url)); ; directory = dirname(directory)) {
    const manifest = readManifest(join(directory, 'package.json'));
    if (manifest?.name === 'waywiser') return manifest.version;
    if (dirname(directory) === directory) return 'unknown';
  }
}

function readManifest(path: string): { readonly name: string; readonly version: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

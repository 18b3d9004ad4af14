import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The versions of the copy of this package that made a plugin and of this one, when what is promised between them does not cover plugins.
 * `madeBy` is the address of a module of that copy; undefined for a plugin that was not made with `definePlugin`.
 */
export function findOtherVersion(
  madeBy: string | undefined,
): { readonly made: string; readonly version: string } | undefined {
  if (madeBy === undefined || madeBy === import.meta.url.replace(/[^/]+$/, madeBy.split('/').at(-1)!))
    return undefined;
  const made = versionAt(madeBy);
  const version = versionAt(import.meta.url);
  if (made === undefined || version === undefined || lineOf(made) === lineOf(version)) return undefined;
  return { made, version };
}

/** Within a line nothing breaks: the major version, and below 1.0 the minor version too. */
function lineOf(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : major!;
}

/** The version of the copy of this package that a module belongs to; undefined when the module was bundled into another package. */
function versionAt(module: string): string | undefined {
  if (!module.startsWith('file:')) return undefined;
  for (let folder = dirname(fileURLToPath(module)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
      return name === 'waywiser' ? version : undefined;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

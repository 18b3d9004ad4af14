import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * The test files below the paths, in groups for a process each. Files of one area share a process, because a process spends more
 * on loading the sources than most files do on their tests; long tests have one of their own, which fills all lanes. They come in
 * the order of the paths, each file once: what takes longest is named first, so that no lane is idle in the end.
 */
export function groupTests(paths: readonly string[], isLong: boolean): string[][] {
  const largest = isLong ? 1 : 16;
  const groups: string[][] = [];
  let last: { readonly area: string; readonly files: string[] } | undefined;
  for (const file of new Set(paths.flatMap(findTests))) {
    const area = areaOf(file);
    if (last?.area !== area || last.files.length === largest) {
      last = { area, files: [] };
      groups.push(last.files);
    }
    last.files.push(file);
  }
  return groups;
}

/** Those that have more to do in the long run: they ask whether it is one, or read recordings of which it reads all. */
export function findLongTests(paths: readonly string[]): string[] {
  return paths
    .flatMap(findTests)
    .filter((path) => /\/(long-run|shared-recordings)\.ts'/.test(readFileSync(path, 'utf8')));
}

/** `kernel`, `snmp`, `plugins/http-api`: the part of the house that a test file speaks of. */
function areaOf(file: string): string {
  const [first, second] = relative('test', file).split(sep);
  return first === 'plugins' ? `${first}/${second}` : `${first}`;
}

function findTests(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(path, name))
    .sort();
}

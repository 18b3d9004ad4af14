import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

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

/** They read and compile all shipped definitions several times. */
const long = new Set([
  'test/cli/definitions/coverage.test.ts',
  'test/cli/definitions/draft.test.ts',
  'test/collector/second-copy.test.ts',
  'test/plugins/definitions-loader/broken-sets.test.ts',
  'test/plugins/definitions-loader/prepared-definitions.test.ts',
]);

/** Those that need little more than this process: their imports reach nothing that starts a program or a browser. */
export function findNearTests(paths: readonly string[]): string[] {
  const found = new Map<string, boolean>();
  return paths.flatMap(findTests).filter((path) => !long.has(path) && !startsPrograms(path, found));
}

function startsPrograms(path: string, found: Map<string, boolean>): boolean {
  const known = found.get(path);
  if (known !== undefined) return known;
  found.set(path, false);
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?'(\.[^']+\.ts)';/gms)]
    .map(([, specifier]) => join(dirname(path), specifier!))
    // Some tests have sources in their texts.
    .filter((other) => other.startsWith(`test${sep}`) && existsSync(other));
  const starts =
    /'(?:node:child_process|playwright-core)'/.test(text) ||
    imported.some((other) => startsPrograms(other, found));
  found.set(path, starts);
  return starts;
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

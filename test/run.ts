import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { argv, env, exit, stdout } from 'node:process';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

/**
 * Runs every `*.test.ts` below test/ (or below the paths named on the command line), a few processes at a time. Files of
 * one area share a process, because a process spends more on loading the sources than most files do on their tests.
 */
const isLong = env['WAYWISER_LONG'] !== undefined;
/** Tests wait nearly as much as they work, so three fill two cores; long ones, and the counters of coverage, do so by two. */
const lanes = isLong || env['NODE_V8_COVERAGE'] !== undefined ? 2 : 3;
const roots = argv.length > 2 ? argv.slice(2) : ['test'];
const groups = groupByArea(roots.flatMap(findTests).sort());
if (groups.length === 0) {
  console.error(`No test file below ${roots.join(', ')}.`);
  exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'waywiser-tests-'));
const files = groups.map((group, index) => {
  const entry = join(folder, `${index}.mjs`);
  writeFileSync(entry, group.map((file) => `import '${pathToFileURL(file).href}';\n`).join(''));
  return entry;
});

/** Only what hangs takes as long, however slow the machine is: the time of a good run is not judged here. */
const patienceMs = isLong ? 1_200_000 : 600_000;
let failed = false;
run({ files, concurrency: lanes, timeout: patienceMs })
  .on('test:fail', () => {
    failed = true;
  })
  .on('end', () => {
    process.exitCode = failed ? 1 : 0;
    rmSync(folder, { recursive: true });
  })
  .compose(new spec())
  .pipe(stdout);

function groupByArea(files: readonly string[]): string[][] {
  // Long runs spend their time on the tests: one file a process fills all lanes.
  const largest = isLong ? 1 : 10;
  const groups: string[][] = [];
  let last: { readonly area: string; readonly files: string[] } | undefined;
  for (const file of files) {
    const area = areaOf(file);
    if (last?.area !== area || last.files.length === largest) {
      last = { area, files: [] };
      groups.push(last.files);
    }
    last.files.push(file);
  }
  return groups;
}

/** `kernel`, `snmp`, `plugins/http-api`: the part of the house that a test file speaks of. */
function areaOf(file: string): string {
  const [first, second] = relative('test', file).split(sep);
  return first === 'plugins' ? `${first}/${second}` : `${first}`;
}

function findTests(path: string): string[] {
  if (path.endsWith('.test.ts')) return [resolve(path)];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => resolve(path, name));
}

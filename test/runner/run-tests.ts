import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { env, exit, stdout } from 'node:process';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { modulePath } from '../support/own-module.ts';
import { groupTests } from './group-tests.ts';

const isLong = env['WAYWISER_LONG'] !== undefined;
/** Tests wait nearly as much as they work, so three fill two cores; long ones, and the counters of coverage, do so by two. */
const lanes = isLong || env['NODE_V8_COVERAGE'] !== undefined ? 2 : 3;
/** Only what hangs takes as long, however slow the machine is: the time of a good run is not judged here. */
const patienceMs = isLong ? 1_200_000 : 600_000;

/** Runs the tests below `paths`, a few processes at a time, and leaves the exit code. */
export function runTests(paths: readonly string[]): void {
  const groups = groupTests(paths, isLong);
  if (groups.length === 0) {
    console.error(`No test file below ${paths.join(', ')}.`);
    exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-test-groups-'));
  const files = groups.map((group, index) => {
    const entry = join(folder, `${index}.mjs`);
    writeFileSync(entry, group.map((file) => `import '${urlOf(file)}';\n`).join(''));
    return entry;
  });
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
}

/** Of the test in the tree that this module is in: the sources or their copy. */
function urlOf(file: string): string {
  return pathToFileURL(modulePath(new URL(`../../${relative('.', file)}`, import.meta.url))).href;
}

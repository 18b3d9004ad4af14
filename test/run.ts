import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, cwd, env, exit, stdout } from 'node:process';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** Runs every `*.test.ts` below test/ (or below the folders named on the command line), two files at a time. */
const roots = argv.length > 2 ? argv.slice(2) : ['test'];
const files = roots.flatMap(findTests).sort();
if (files.length === 0) {
  console.error(`No test file below ${roots.join(', ')}.`);
  exit(1);
}

let failed = false;
run({ files, concurrency: 2, timeout: env['WAYWISER_LONG'] === undefined ? 240_000 : 1_200_000 })
  .on('test:fail', () => {
    failed = true;
  })
  .on('end', () => {
    process.exitCode = failed ? 1 : 0;
  })
  .compose(new spec())
  .pipe(stdout);

function findTests(path: string): string[] {
  if (path.endsWith('.test.ts')) return [join(cwd(), path)];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(cwd(), path, name));
}

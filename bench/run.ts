import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * Runs every `*.bench.ts` below this folder, or those whose paths contain a word of the command line, one at a time. A `*.slow-bench.ts`,
 * which takes longer than all others together, runs only when it is named.
 */
const folder = fileURLToPath(new URL('.', import.meta.url));
const words = argv.slice(2);
const benches = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.bench.ts') || (words.length > 0 && path.endsWith('.slow-bench.ts')))
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  .sort();
if (benches.length === 0) {
  console.error(`No benchmark is named like ${words.join(' or ')}.`);
  exit(1);
}
for (const path of benches) {
  const { status } = spawnSync(execPath, ['--import', 'tsx', join(folder, path)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

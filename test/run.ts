import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { argv, env, execPath } from 'node:process';
import { findLongTests, findNearTests } from './runner/group-tests.ts';
import { runTests } from './runner/run-tests.ts';
import { TranspiledCopy } from './runner/transpiled-copy.ts';
import { WatchedTree } from './runner/watched-tree.ts';

/**
 * Runs tests in a transpiled copy of the repository: those below the paths named on the command line; without any, those that start no
 * other program; with `--all`, all; with `--long`, those that have more to do in the long run. Fails when a file of the repository
 * changed meanwhile: a test wrote it, or you did.
 */
const mode = argv[2]?.startsWith('--') ? argv[2] : undefined;
if (mode === '--long') env['WAYWISER_LONG'] = '1';
/** The longest tests come first, so that no processor is idle at the end. */
const first = ['test/plugins/definitions-loader', 'test/cli', 'test/plugins'];
const firstLong = [
  'test/plugins/definitions-loader',
  'test/storage',
  'test/testing',
  'test/pipeline',
  'test/snmp',
];
const paths = choosePaths();
const isInCopy = import.meta.url.endsWith('.js');
if (isInCopy) runTests(paths);
else {
  let child: ChildProcess | undefined;
  // A signal that ends this process ends the child too, and the copy is removed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child?.kill(signal));
  const tree = new WatchedTree('.');
  using copy = new TranspiledCopy();
  const words = ['--enable-source-maps', join(copy.path, 'test/run.js'), ...paths];
  child = spawn(execPath, words, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  // With WAYWISER_UPDATE, tests write their expected files again.
  const changes = env['WAYWISER_UPDATE'] === undefined ? tree.findChanges() : [];
  if (changes.length > 0) {
    console.error(
      `Changed in the repository while the tests ran, by a test or by you: ${changes.slice(0, 20).join(', ')}`,
    );
  }
  process.exitCode = code === 0 && changes.length > 0 ? 1 : (code ?? 1);
}

function choosePaths(): readonly string[] {
  if (mode === '--long') return findLongTests([...firstLong, 'test']);
  if (mode === '--all') return [...first, 'test'];
  return argv.length > 2 ? argv.slice(2) : findNearTests([...first, 'test']);
}

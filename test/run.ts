import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { argv, env, execPath } from 'node:process';
import { runTests } from './runner/run-tests.ts';
import { TranspiledCopy } from './runner/transpiled-copy.ts';

/**
 * Runs every `*.test.ts` below test/, or below the paths named on the command line, in a transpiled copy of the repository. The
 * counters of coverage are for the sources themselves.
 */
const named = argv.slice(2);
/** What takes longest comes first, so that no processor is idle in the end. */
const paths =
  named.length > 0 ? named : ['test/plugins/definitions-loader', 'test/cli', 'test/plugins', 'test'];
const isInCopy = import.meta.url.endsWith('.js');
if (isInCopy || env['NODE_V8_COVERAGE'] !== undefined) runTests(paths);
else {
  // An interrupt ends the child, which the terminal tells as well, and leaves the copy to be removed.
  process.on('SIGINT', () => {});
  using copy = new TranspiledCopy();
  const words = ['--enable-source-maps', join(copy.path, 'test/run.js'), ...paths];
  process.exitCode = spawnSync(execPath, words, { stdio: 'inherit' }).status ?? 1;
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';

it('serves the API, prints rows and ends after a SIGTERM', { timeout: 60_000 }, async () => {
  const program = spawn(process.execPath, [...process.execArgv, 'index.js', '0'], {
    cwd: import.meta.dirname,
  });
  const exit = once(program, 'exit');
  let printed = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  while (!printed.includes('listens at') || !printed.includes('collectorReady')) {
    await Promise.race([once(program.stdout, 'data'), exit]);
    assert.equal(program.exitCode, null, printed);
  }
  const [, url] = /listens at (\S+)/.exec(printed);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);

  program.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null], printed);
  assert.match(printed, /^waywiser::collectorReady /m);
  assert.match(printed, /^waywiser::collectorStopping /m);
});

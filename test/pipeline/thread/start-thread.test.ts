import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

describe('a thread for a module', () => {
  const folder = temporaryFolder();

  for (const flags of [[], ['--input-type=module'], ['--input-type', 'module']]) {
    it(`starts in a program given as text, with the flags "${flags.join(' ')}"`, async () => {
      const worker = join(folder, 'worker.js');
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(worker, "(await import('node:worker_threads')).parentPort.postMessage('started');");
      const module = modulePath(new URL('../../../src/pipeline/thread/start-thread.ts', import.meta.url));
      const program = `import(${JSON.stringify(pathToFileURL(module).href)}).then(({ startThread }) =>
        startThread(${JSON.stringify(pathToFileURL(worker).href)}, {}).on('message', console.log));`;
      const { stdout } = await run(execPath, [...nodeOptions, ...flags, '-e', program]);
      assert.equal(stdout, 'started\n');
    });
  }
});

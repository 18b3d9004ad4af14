import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { modulePath, nodeOptions } from './own-module.ts';
import { mountSmallDisk } from './small-disk.ts';
import { until } from './until.ts';

const notAllowed = 'mount is not allowed here';

describe('a small disk', () => {
  it('is gone after its test, even if the test left a file open', async (t) => {
    const ending: (() => unknown)[] = [];
    const folder = mountSmallDisk({ after: (end) => void ending.push(end) }, 1 << 20);
    if (folder === undefined) return t.skip(notAllowed);
    const open = openSync(join(folder, 'file'), 'w');
    for (const end of ending) await end();
    closeSync(open);
    assert.equal(existsSync(folder), false);
  });

  it('is gone after the process of its test was killed', async (t) => {
    const { href } = pathToFileURL(modulePath(new URL('small-disk.ts', import.meta.url)));
    const script = `import { mountSmallDisk } from ${JSON.stringify(href)};
console.log(mountSmallDisk({ after() {} }, 1 << 20) ?? '');`;
    const child = spawn(execPath, [...nodeOptions, '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [printed] = await once(child.stdout, 'data');
    const folder = String(printed).trim();
    if (folder === '') {
      child.kill('SIGKILL');
      return t.skip(notAllowed);
    }
    assert.ok(existsSync(folder));
    child.kill('SIGKILL');
    await exited;
    await until(() => !existsSync(folder));
  });
});

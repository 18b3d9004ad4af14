import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import { describe, it } from 'node:test';
import { makeFolder } from '../../src/kernel/make-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a folder that is created', () => {
  it('has those around it, with the same mode, and may exist', (t) => {
    const path = join(temporaryFolder(t), 'a', 'b', 'c');
    makeFolder(path, 0o700);
    makeFolder(path, 0o700);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
  });

  it('below a file is refused', (t) => {
    const file = join(temporaryFolder(t), 'file');
    writeFileSync(file, '');
    assert.throws(() => makeFolder(join(file, 'below', 'it')), { code: 'ENOTDIR' });
  });

  it('where the system refuses names is an error, not an endless search', {
    skip: platform !== 'linux',
  }, () => {
    assert.throws(() => makeFolder('/proc/waywiser/definitions'), { code: 'ENOENT' });
  });
});

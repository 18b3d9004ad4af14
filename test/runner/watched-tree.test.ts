import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { copyPackage, installOurselves } from '../support/package-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { WatchedTree } from './watched-tree.ts';

describe('the watch over the files of the repository', () => {
  it('finds files that were changed, removed or left behind, and not those that git ignores', (t) => {
    const folder = temporaryFolder(t);
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    for (const path of ['changed', 'kept', 'removed']) write(path, 'before');
    write('.gitignore', 'ignored\n');
    execFileSync('git', ['add', '.'], { cwd: folder });
    const tree = new WatchedTree(folder);
    assert.deepEqual(tree.findChanges(), []);
    write('changed', 'afterwards');
    write('left-behind', '');
    write('ignored', '');
    rmSync(join(folder, 'removed'));
    assert.deepEqual(tree.findChanges(), ['changed', 'left-behind', 'removed']);
  });

  it('finds nothing outside of a repository', (t) => {
    const folder = temporaryFolder(t);
    const tree = new WatchedTree(folder);
    writeFileSync(join(folder, 'new'), '');
    assert.deepEqual(tree.findChanges(), []);
  });
});

describe('the copy of an example', () => {
  it('is installed into a folder of its own, never through the link that npm install made', (t) => {
    const folder = temporaryFolder(t);
    copyPackage('third-party-output', folder);
    const repository = temporaryFolder(t);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(repository, join(folder, 'node_modules/waywiser'));
    assert.throws(() => installOurselves(folder), { code: 'EEXIST' });
  });
});

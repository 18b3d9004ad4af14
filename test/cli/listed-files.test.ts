import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { listFiles } from '../../cli/listed-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('a folder with links to itself has each of its files once', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'below'));
  writeFileSync(join(folder, 'below', 'a.snmprec'), '');
  writeFileSync(join(folder, 'b.txt'), '');
  for (const name of ['self', 'again', 'below/up']) symlinkSync(folder, join(folder, name));
  symlinkSync('circle', join(folder, 'circle'));
  symlinkSync('nowhere', join(folder, 'broken.snmprec'));
  assert.deepEqual(listFiles(folder, /\.snmprec$/), [join(folder, 'below', 'a.snmprec')]);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMutualFolders } from './support/import-siblings.ts';
import { floors, readSources } from './support/source-file.ts';

describe('folders beside each other', () => {
  it('do not import each other, types included', () => {
    assert.deepEqual(
      findMutualFolders(readSources(...floors)),
      [],
      'Move the file that stands in the wrong folder, or what both need into the folder that the other one uses.',
    );
  });

  it('are found at every level, through folders below them', () => {
    const file = (path: string, ...imports: readonly string[]) => {
      const text = imports.map((name) => `import type { A } from '${name}.ts';\n`).join('');
      return { path: `${path}.ts`, text, code: text };
    };
    const files = [
      file('src/a/x/one', '../../b/two', '../y/three', '../../c/four'),
      file('src/a/y/three'),
      file('src/a/y/five', '../x/one'),
      file('src/b/two', '../file'),
      file('src/b/deep/six', '../../a/y/five'),
      file('src/c/four', '../missing/seven', '../file', 'node:fs'),
      file('src/file', './c/four', './b/two'),
      file('plugins/d/eight', '../../src/a/x/one'),
    ];
    assert.deepEqual(findMutualFolders(files), [
      'src/a/x/one.ts imports src/a/y/three.ts; src/a/y/five.ts imports src/a/x/one.ts',
      'src/a/x/one.ts imports src/b/two.ts; src/b/deep/six.ts imports src/a/y/five.ts',
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCircles } from './support/import-circles.ts';
import { floors, readSources } from './support/source-file.ts';

const folders = [...floors, 'test', 'bench', 'tools', 'examples'];

describe('import circles', () => {
  it('do not exist, types included', () => {
    const circles = findCircles(readSources(...folders)).map((files) => files.join(' '));
    assert.deepEqual(
      circles,
      [],
      'These files import each other: move what they share into a file that imports neither.',
    );
  });

  it('are found over two and three files, without the files that only import them', () => {
    const file = (path: string, ...imports: readonly string[]) => {
      const text = imports.map((name) => `import type { A } from './${name}.ts';\n`).join('');
      return { path: `src/${path}.ts`, text, code: text };
    };
    const files = [
      file('a', 'b'),
      file('b', 'c', 'missing'),
      file('c', 'a'),
      file('d', 'a', 'e'),
      file('e', 'f'),
      file('f', 'e'),
      file('g', 'd'),
    ];
    assert.deepEqual(findCircles(files), [
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
      ['src/e.ts', 'src/f.ts'],
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listImports, readSources, resolveImport } from './support/source-file.ts';

const fileOf = (code: string) => ({ path: 'src/kernel/x.ts', text: code, code });

describe('reading sources', () => {
  it('finds every form of import', () => {
    const code = [
      "import a, { type B } from './a.ts';",
      'import {\n  c,\n  d,\n} from "b";',
      "import './side.ts';",
      "export * from './c.ts';",
      "export type { E } from './d.ts';",
      "const late = await import('./late.ts');",
      "const text = Array.from('not-one');",
      "export const words = ['from', 'x'];",
    ].join('\n');
    assert.deepEqual(listImports(fileOf(code)).sort(), [
      './a.ts',
      './c.ts',
      './d.ts',
      './late.ts',
      './side.ts',
      'b',
    ]);
  });

  it('resolves relative imports from the root and leaves packages', () => {
    assert.equal(resolveImport(fileOf(''), '../model/oid.ts'), 'src/model/oid.ts');
    assert.equal(resolveImport(fileOf(''), 'yaml'), undefined);
  });

  it('sees the imports of real files', () => {
    const collector = readSources('src/kernel').find(({ path }) => path === 'src/kernel/collector.ts');
    assert.ok(listImports(collector!).includes('./boot-order.ts'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeclaredNames } from '../../tools/api-report/declared-names.ts';

const files: Readonly<Record<string, string>> = {
  'src/door.ts': `import type { Inner } from './inside.ts';
/** Says something. */
export declare function open(lock: Inner): void;
export declare function open(lock: string): void;
export { type Inner as Lock, secret } from './inside.ts';
export * from './more.ts';
export { Type } from 'package';
declare const _default: Inner;
export default _default;
`,
  'src/inside.ts': `export interface Inner {
    /** Of brass. */
    readonly key: Key;
}
interface Key {
    readonly teeth: number;
}
export declare const secret: {
    readonly a: 1;
};
`,
  'src/more.ts': `export declare class Thing {
    #private;
    constructor();
}
export {};
`,
};

describe('declared names', () => {
  const names = new DeclaredNames((path) => files[path]);
  const textsOf = (name: string) => names.findExport('src/door.ts', name)?.texts;

  it('are what a file exports, also from other files', () => {
    assert.deepEqual(names.listExports('src/door.ts'), [
      'Lock',
      'Thing',
      'Type',
      'default',
      'open',
      'secret',
    ]);
  });

  it('lead to their declarations without comments and private members', () => {
    assert.deepEqual(textsOf('open'), [
      'function open(lock: Inner): void;',
      'function open(lock: string): void;',
    ]);
    assert.deepEqual(textsOf('Lock'), ['interface Inner {\n    readonly key: Key;\n}']);
    assert.deepEqual(textsOf('secret'), ['const secret: {\n    readonly a: 1;\n};']);
    assert.deepEqual(textsOf('Thing'), ['class Thing {\n    constructor();\n}']);
    assert.deepEqual(textsOf('default'), ['const _default: Inner;']);
  });

  it('lead nowhere for a name of another package or one that does not exist', () => {
    assert.equal(textsOf('Type'), undefined);
    assert.equal(textsOf('nothing'), undefined);
  });

  it('are found inside a file, imported or not exported', () => {
    assert.equal(names.findName('src/door.ts', 'Inner')?.file, 'src/inside.ts');
    assert.deepEqual(names.findName('src/inside.ts', 'Key')?.texts, [
      'interface Key {\n    readonly teeth: number;\n}',
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { floors, readSources } from './support/source-file.ts';

/** The lines that match, as `path:line text`. */
function findLines(folders: readonly string[], pattern: RegExp, part: 'text' | 'code' = 'code'): string[] {
  return readSources(...folders).flatMap((file) =>
    file[part]
      .split('\n')
      .map((line, i) => ({ line, at: `${file.path}:${i + 1} ${line.trim()}` }))
      .filter(({ line }) => pattern.test(line))
      .map(({ at }) => at),
  );
}

describe('the code', () => {
  it('has no `any`', () => {
    const any = /(:\s*any\b|<any\b|\bas any\b|\bany\[\]|,\s*any>)/;
    const found = findLines(floors, any);
    assert.deepEqual(
      found.filter((line) => !line.startsWith('src/kernel/service-token.ts:')),
      [],
    );
  });

  it('has a reason and an owner for every TODO', () => {
    const todos = findLines([...floors, 'tools', 'bench'], /\b(TODO|FIXME|XXX)\b/, 'text');
    assert.deepEqual(
      todos.filter((line) => !/TODO\([a-z0-9./-]+\): \S.{9,}/.test(line)),
      [],
    );
  });

  it('has no enums, no namespaces and no disabled type checks', () => {
    const pattern = /^\s*(export )?(const )?(enum|namespace) \w|@ts-(ignore|nocheck)/;
    assert.deepEqual(findLines(floors, pattern, 'text'), []);
  });

  it('does nothing at import: no timer, listener, registration or mutable state in a module', () => {
    // The state of a page is that of its modules: a browser loads them once for each page.
    const entryPoints = /((^cli\/main|-worker)\.ts|browser\/(main\.tsx|state\/[\w-]+\.ts))$/;
    const sideEffect =
      /^(let |var |await |setInterval|setTimeout|process\.|globalThis|console\.|if |for |void |new )/;
    const offenders = findLines(floors, sideEffect);
    assert.deepEqual(
      offenders.filter((line) => !entryPoints.test(line.split(':')[0]!)),
      [],
    );
    const calls = findLines(floors, /^[a-zA-Z]\w*(\.\w+)*\(/);
    assert.deepEqual(
      calls.filter((line) => !entryPoints.test(line.split(':')[0]!)),
      [],
    );
  });

  it('contains no path of a particular machine', () => {
    const folders = [...floors, 'test', 'tools', 'bench', 'examples'];
    assert.deepEqual(findLines(folders, /["'` (=]\/(work|home|Users)\/\w/, 'text'), []);
  });

  it('has no mutable Map or Set at the top level of a module', () => {
    const container = /^(export )?const \w+(: [^=]+)? = new (Map|Set|WeakMap)(<[^>]*>)?\(\);/;
    assert.deepEqual(findLines(floors, container), []);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as published from '../../src/index.ts';
import { readSources } from './support/source-file.ts';

const maxValues = 45;
const importOfPackage = /^import \{[^}]*\} from 'waywiser'/gm;

describe('the values of "waywiser"', () => {
  const names = Object.keys(published);

  it(`are at most ${maxValues}`, () => {
    assert.ok(names.length <= maxValues, `${names.length}: ${names.join(', ')}`);
  });

  it("are each in the author's guide or in an example", () => {
    // Only the code of the guide: a word of its sentences such as "access" is no use of the function.
    const guide = readFileSync('docs/writing-a-plugin.md', 'utf8').match(/^```[\s\S]*?^```|`[^`\n]+`/gm)!;
    const examples = readSources('examples').flatMap(({ code }) => code.match(importOfPackage) ?? []);
    assert.ok(examples.length > 5);
    const texts = [...guide, ...examples];
    const unused = names.filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
    assert.deepEqual(unused, []);
  });
});

describe('the service.ts of a plugin', () => {
  const services = readSources('plugins').filter(({ path }) => path.endsWith('/service.ts'));

  it('is there for several plugins', () => {
    assert.ok(services.length >= 7, String(services.length));
  });

  it('exports one token and types, and names the token after the plugin', () => {
    for (const { path, code } of services) {
      const exported = [...code.matchAll(/^export (?!type |interface )(\w+) (\w+)/gm)].map(
        ([, , name]) => name!,
      );
      assert.equal(exported.length, 1, `${path}: ${exported.join(', ')}`);
      assert.match(exported[0]!, /Token$/, path);
      assert.doesNotMatch(code, /^export (\{|\*|default)/m, path);
      const [, name] = /serviceToken<\w+>\(\s*'([a-z-]+)'/.exec(readFileSync(path, 'utf8')) ?? [];
      assert.equal(`plugins/${name}/service.ts`, path);
    }
  });

  it('imports only types, beside what makes a token', () => {
    for (const { path, code } of services) {
      const values = [
        ...code.matchAll(/^(?:import|export) (?!type |const |interface )[^;]*?'([^']+)'/gm),
      ].map(([, from]) => from);
      assert.deepEqual(new Set(values), new Set(['../../src/index.ts']), path);
    }
  });

  it('is exported again by the plugin itself, so that "waywiser/plugins/NAME" has both', () => {
    for (const { path } of services) {
      const plugin = readFileSync(path.replace('service.ts', 'index.ts'), 'utf8');
      assert.match(plugin, /^export \* from '\.\/service\.ts';$/m, path);
    }
  });
});

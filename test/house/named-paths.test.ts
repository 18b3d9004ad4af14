import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listFiles, repositoryRoot } from './support/source-file.ts';

/** Folders of the repository that no user has under the same name. */
const path = /(?<![\w./-])(?:src|plugins|test|bench|tools)\/[\w./-]*\w/g;

describe('the paths named', () => {
  const isThere = (name: string) => existsSync(join(repositoryRoot, name));
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  it('in pages exist', () => {
    const pages = listFiles('.').filter((name) => name.endsWith('.md') && !name.startsWith('.'));
    const named = pages.flatMap((page) =>
      [...readFileSync(join(repositoryRoot, page), 'utf8').matchAll(/`[^`\n]+`/g)].flatMap(([code]) =>
        (code.match(path) ?? []).map((name) => ({ page, name })),
      ),
    );
    assert.ok(named.length > 20, String(named.length));
    assert.deepEqual(
      named.filter(({ name }) => !isThere(name)),
      [],
    );
  });

  it('in the scripts of the package exist', () => {
    const named = Object.values(scripts).flatMap((script) => script.match(path) ?? []);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !isThere(name)),
      [],
    );
  });
});

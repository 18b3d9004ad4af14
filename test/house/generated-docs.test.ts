import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { kernelErrors } from '../../src/kernel/errors.ts';
import { renderPages } from '../../tools/pages/render-pages.ts';
import { floors, readSources, repositoryRoot } from './support/source-file.ts';

describe('generated documentation', async () => {
  const pages = await renderPages();

  for (const [path, text] of pages) {
    it(`${path} is what the code says; \`npm run docs\` rewrites it`, () => {
      const file = join(repositoryRoot, path);
      const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
      assert.deepEqual({ stale: linesOnlyIn(written, text), missing: linesOnlyIn(text, written) }, upToDate);
      assert.ok(written === text, 'the same lines in another order');
    });
  }

  it('has every error code that the code can make', () => {
    const page = pages.get('docs/errors.md')!;
    for (const code of Object.keys(kernelErrors)) assert.ok(page.includes(`| \`${code}\` `), code);
    const made = readSources(...floors).flatMap(({ code }) =>
      [...code.matchAll(/\b\w*[fF]ailure\(\s*'([A-Z_]+)'/g)].map(([, name]) => name!),
    );
    assert.ok(made.length > 10);
    assert.deepEqual(
      [...new Set(made)].filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });

  it('has every event of the map', () => {
    const page = pages.get('docs/events.md')!;
    for (const name of ['definitions.changed', 'device.removed', 'collector.stopping']) {
      assert.match(page, new RegExp(`^## .*\`${name}\``, 'm'));
    }
  });
});

const upToDate = { stale: [], missing: [] };

function linesOnlyIn(text: string, other: string): string[] {
  const known = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gapReasons } from '../../src/model/gap.ts';
import { listCommands, readPages } from './support/page.ts';

const pages = readPages().filter(({ path }) => path.startsWith('docs/'));
const index = pages.find(({ path }) => path === 'docs/README.md')!;
const decisions = 'docs/decisions/';
/** Decisions have an index of their own, and say why instead of how. */
const others = pages.filter(
  (page) => page !== index && (!page.path.startsWith(decisions) || page.path === `${decisions}README.md`),
);
const screenLines = 40;

describe('the pages in docs/', () => {
  it('are all in the index', () => {
    const orphans = others.filter(({ path }) => !index.text.includes(`](${path.slice('docs/'.length)})`));
    assert.deepEqual(
      orphans.map(({ path }) => path),
      [],
    );
  });

  it('have an index of the decisions, each in its place', () => {
    const paths = pages.flatMap(({ path }) =>
      path.startsWith(decisions) ? [path.slice(decisions.length)] : [],
    );
    const { text } = pages.find(({ path }) => path === `${decisions}README.md`)!;
    assert.deepEqual(
      [...text.matchAll(/^- \[(\d{3}) [^\]]+\]\((\1-[a-z0-9-]+\.md)\)$/gm)].map(([, , path]) => path),
      paths.filter((path) => path !== 'README.md').sort(),
    );
  });

  it('list every reason for a gap, in order', () => {
    const { text } = pages.find(({ path }) => path === 'docs/record-model.md')!;
    const [, section = ''] = text.split('## Missing values');
    const named = [...section.split('\n## ')[0]!.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason);
    assert.deepEqual(['none', ...named], gapReasons);
  });

  it('have a command on their first screen', () => {
    const silent = others
      .filter(({ path }) => !path.startsWith(decisions))
      .filter((page) => !listCommands(page).some(({ line }) => line <= screenLines));
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });
});

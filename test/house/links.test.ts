import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { listFiles, repositoryRoot } from './support/source-file.ts';

interface Link {
  readonly page: string;
  readonly line: number;
  /** As written: `options.md#ndjson`. */
  readonly target: string;
}

describe('links between pages', () => {
  const links = listFiles('.')
    .filter((path) => path.endsWith('.md') && !path.startsWith('.'))
    .flatMap(listLinks);

  it('lead to existing files', () => {
    assert.ok(links.length > 60);
    const broken = links.filter((link) => !existsSync(join(repositoryRoot, fileOf(link))));
    assert.deepEqual(broken.map(describeLink), []);
  });

  it('lead to existing headings', () => {
    const broken = links.filter((link) => {
      const [, anchor] = link.target.split('#');
      const file = join(repositoryRoot, fileOf(link));
      if (anchor === undefined || !existsSync(file) || statSync(file).isDirectory()) return false;
      return !listAnchors(readFileSync(file, 'utf8')).includes(anchor);
    });
    assert.deepEqual(broken.map(describeLink), []);
  });
});

/** The relative links of a page, outside of code. */
function listLinks(page: string): Link[] {
  let isCode = false;
  return readFileSync(join(repositoryRoot, page), 'utf8')
    .split('\n')
    .flatMap((text, i) => {
      if (text.trimStart().startsWith('```')) isCode = !isCode;
      if (isCode) return [];
      return [...text.replace(/`[^`]*`/g, '``').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({
        page,
        line: i + 1,
        target,
      }));
    })
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** The path, from the root, of the target of a link. */
function fileOf({ page, target }: Link): string {
  const [path = ''] = target.split('#');
  return path === '' ? page : posix.join(dirname(page), decodeURIComponent(path));
}

/** The anchors of the headings, as GitHub and most others make them. */
function listAnchors(text: string): string[] {
  const seen = new Map<string, number>();
  return [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const name = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}

function describeLink({ page, line, target }: Link): string {
  return `${page}:${line}: ${target}`;
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { floors, listFiles, readSources, repositoryRoot } from './support/source-file.ts';

const time = '(?:second|minute|hour|day|week|year|CPU second)';
const thing =
  '(?:second|minute|hour|day|session|device|row|request|file|packet|value|poll|batch|line|column|interface|address|key|table|object|output|byte|item|text|block|slot|write|GETBULK|GETNEXT|varbind)';
/** What is counted, in the plural. `polls`, `records` and `requests` can be verbs: before a time they are not. */
const counted =
  '(?:packets|devices|rows|values|bytes|octets|repetitions|OIDs|varbinds|batches|documents|connections|sessions|sockets|messages|bits|points|files|datagrams|tries|series|samples|attempts|lines|microseconds|nanoseconds|milliseconds|KiB|MiB|ms|µs)';
/** Idioms that are hard to understand, each with the better words. */
const idioms: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\bof now\b/, 'current'],
  [/\bof ours\b/, "our own, Waywiser's"],
  [/\bfor ever\b/, 'forever, without end'],
  [/\ball the same\b/, 'nevertheless'],
  [/\bwhat is none\b/, 'say what it is'],
  [/\bsome such\b/, 'such a …'],
  [/\bas long as it likes\b/, 'without a limit'],
  [/\b(?:mend|mends|mended|mending)\b/, 'fix, repair'],
  [/\bwhoever\b/i, 'name who it is'],
  [new RegExp(`\\b(?:${counted}|polls|records|requests|discoveries|starts) an? ${time}\\b`), '… per …'],
  [new RegExp(`\\b${counted} an? ${thing}\\b`), '… per …'],
  [
    new RegExp(
      `\\b(?:one|a) (?:socket|document|packet|line|file|row|batch|object|table|message) an? ${thing}\\b`,
    ),
    'one … per …',
  ],
];
const pages = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** A space of an idiom, which may also be where a line of text, of a comment or of a YAML comment ends. */
const gap = String.raw`(?: |\n[ \t]*(?:\*|//|#|>)?[ \t]*)`;
const searches = idioms.map(([pattern, better]) => ({
  pattern: new RegExp(pattern.source.replaceAll(' ', gap), `g${pattern.flags}`),
  better,
}));

describe('the language', () => {
  it('of the pages has no idiom that is hard to understand', () => {
    const folders = ['docs', 'definitions', 'examples', ...floors];
    const texts = [...pages, ...folders.flatMap(listFiles).filter((path) => path.endsWith('.md'))];
    assert.deepEqual(
      texts.flatMap((path) => findIdioms(path, readProse(path))),
      [],
    );
  });

  it('of the sources, with their messages and comments, has none either', () => {
    const found = readSources(...floors, 'tools', 'test', 'bench', 'examples')
      .filter(({ path }) => !path.endsWith('words.test.ts'))
      .flatMap(({ path, text }) => findIdioms(path, text));
    assert.deepEqual(found, []);
  });

  it('of the shipped definitions and configurations has none either', () => {
    const paths = ['definitions', 'examples'].flatMap(listFiles).filter((path) => /\.ya?ml$/.test(path));
    assert.ok(paths.length > 5);
    assert.deepEqual(
      paths.flatMap((path) => findIdioms(path, readFileSync(join(repositoryRoot, path), 'utf8'))),
      [],
    );
  });

  it('is searched across the ends of lines', () => {
    const text = ['/**', ' * Two packets', ' * per second, and a limit of', ' * ours.', ' */'].join('\n');
    assert.deepEqual(findIdioms('x.ts', text), [`x.ts:3: "of ours": our own, Waywiser's`]);
  });
});

/** The text of a page without its blocks of code, line by line. */
function readProse(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8').replace(/^```[\s\S]*?^```/gm, (block) =>
    block.replace(/[^\n]/g, ''),
  );
}

function findIdioms(path: string, text: string): string[] {
  return searches.flatMap(({ pattern, better }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: "${found.replace(/\s*\n\W*/, ' ')}": ${better}`;
    }),
  );
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { parse } from 'yaml';
import { extendMap } from '../../../cli/init/extend-map.ts';

function extend(text: string, key: string | undefined, lines: string): string {
  return extendMap({ label: 'waywiser.yml', text }, key, lines);
}

describe('adding entries to a YAML file', () => {
  it('puts them at the end of the map, before what belongs to the next key', () => {
    const text = `plugins: # ours
  ndjson: # to files
    directory: ./out # here
    # format: wide
  # influx: {}

# The level.
log_level: warn
`;
    const extended = extend(text, 'plugins', 'events: {}\nhttp:\n  url: "http://127.0.0.1"\n');
    assert.equal(
      extended,
      text.replace(
        '  # influx: {}\n',
        '  # influx: {}\n  events: {}\n  http:\n    url: "http://127.0.0.1"\n',
      ),
    );
  });

  const cases: Readonly<Record<string, readonly [text: string, key: string | undefined, extended: string]>> =
    {
      'a map in four columns': ['plugins:\n    a: {}\n', 'plugins', 'plugins:\n    a: {}\n    new: {}\n'],
      'a file without a last line end': ['plugins:\n  a: {}', 'plugins', 'plugins:\n  a: {}\n  new: {}\n'],
      'a key without a value': ['plugins: # none\nb: 1\n', 'plugins', 'plugins: # none\n  new: {}\nb: 1\n'],
      'a file without the key': ['b: 1\n', 'plugins', 'b: 1\nplugins:\n  new: {}\n'],
      'an empty file': ['', 'plugins', 'plugins:\n  new: {}\n'],
      'a file of comments': ['# none yet\n', undefined, '# none yet\nnew: {}\n'],
      'Windows line ends': ['plugins:\r\n  a: {}\r\n', 'plugins', 'plugins:\r\n  a: {}\r\n  new: {}\r\n'],
      'a byte order mark': ['\ufeffa: {}\n', undefined, '\ufeffa: {}\nnew: {}\n'],
      'document marks': ['---\na: {}\n...\n', undefined, '---\na: {}\nnew: {}\n...\n'],
      'a text that keeps its empty lines': ['a: |+\n  x\n\n', undefined, 'a: |+\n  x\n\nnew: {}\n'],
      'a flow map as the last value': [
        'a: { b: 1,\n  c: 2 }\n',
        undefined,
        'a: { b: 1,\n  c: 2 }\nnew: {}\n',
      ],
      'comments at the end': ['a: {}\n\n# last\n', undefined, 'a: {}\n\n# last\nnew: {}\n'],
    };
  for (const [name, [text, key, extended]] of Object.entries(cases)) {
    it(`extends ${name}`, () => assert.equal(extend(text, key, 'new: {}\n'), extended));
  }

  const refused: Readonly<Record<string, readonly [text: string, reason: RegExp]>> = {
    'a map in braces': ['plugins: { a: {} }\n', /`plugins` is written in braces.*on a line of its own/],
    'an empty map in braces': ['plugins: {}\n', /`plugins` is written in braces/],
    'a file in braces': ['{ "plugins": { "a": {} } }\n', /it is written in braces/],
    'an alias': ['a: &a\n  b: {}\nplugins: *a\n', /not written as a map/],
    'a map that an alias repeats': ['plugins: &a\n  b: {}\nother: *a\n', /unusual form/],
    'a list': ['plugins:\n  - a\n', /`plugins` is not a map/],
    'a null that is written out': ['plugins: null\n', /`plugins` is not written as a map/],
    'invalid YAML': ['plugins:\n  a: {\n', /not valid YAML/],
    'an entry of the same name': ['plugins:\n  new: {}\n', /an entry "new" already/],
  };
  for (const [name, [text, message]] of Object.entries(refused)) {
    it(`refuses ${name}`, () =>
      assert.throws(() => extend(text, 'plugins', 'new: {}\n'), { code: 'INIT_CANNOT_EXTEND', message }));
  }

  it('keeps every byte, comment and value of any file, and adds exactly the new entries', () => {
    fc.assert(
      fc.property(files, fc.boolean(), ({ text, comments }, isWhole) => {
        const key = isWhole ? undefined : 'plugins';
        const lines = '\n# found today\nnew-1: { ip: "192.0.2.1" }\nnew-2:\n  ip: "192.0.2.2"\n';
        const extended = extend(text, key, lines);
        for (const comment of comments) assert.ok(extended.includes(comment), comment);
        const start = [...text].findIndex((_, i) => text[i] !== extended[i]);
        const head = start === -1 ? text.length : start;
        const added = extended.length - text.length;
        const isInsertion = Array.from({ length: head + 1 }, (_, i) => head - i).some(
          (at) => extended.slice(0, at) + extended.slice(at + added) === text,
        );
        assert.ok(isInsertion, 'more than an insertion');
        for (const read of [parse, load] as ((text: string) => unknown)[]) {
          const old = read(text.replace('\ufeff', '')) as Record<string, unknown>;
          const extra = { 'new-1': { ip: '192.0.2.1' }, 'new-2': { ip: '192.0.2.2' } };
          const expected = isWhole
            ? { ...old, ...extra }
            : { ...old, plugins: { ...(old['plugins'] as object), ...extra } };
          assert.deepEqual(read(extended.replace('\ufeff', '')), expected);
        }
        assert.throws(() => extend(extended, key, lines), { code: 'INIT_CANNOT_EXTEND' });
      }),
      { numRuns: 200 },
    );
  });
});

/** A line of a file, and how deep it is. */
type Lines = readonly string[];

const word = fc.constantFrom('a', 'b-1', 'core.example', 'x', '"q # no"', "'it''s'", 'port', '42');
const comment = fc.nat(10_000).map((number) => `# comment ${number}`);
const ending = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  comment.map((text) => ` ${text}`),
);

/** What is between two entries: empty lines, and comments in any column. */
const between = fc.array(
  fc.oneof(
    fc.constant(''),
    fc.tuple(fc.nat(6), comment).map(([column, text]) => ' '.repeat(column) + text),
  ),
  { maxLength: 2 },
);

/** The first line continues the line of the key; the others are indented less than the key by nothing. */
const value: fc.Arbitrary<Lines> = fc.letrec<{ value: Lines; map: Lines }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(fc.constantFrom(' {}', ' x', ' "a # b"', ' 7', '', ' [1, "2"]', ' { a: 1 }'), ending)
      .map(([text, end]) => [text + end]),
    fc
      .tuple(fc.constantFrom(' |', ' |-', ' >'), ending)
      .map(([style, end]) => [style + end, '  # text', '', '  b: 1']),
    fc.constant([' |+', '  kept', '', '']),
    fc.constant([' { a: 1,', '  b: [1,', '  2 ] }']),
    fc.constant([' "one', '', '  two"']),
    fc.constant(['', '- a', '-   b: 1', '    c: {}']),
    fc
      .tuple(ending, fc.integer({ min: 1, max: 4 }), tie('map'))
      .map(([end, step, lines]) => [
        end,
        ...lines.map((line) => (line === '' ? '' : ' '.repeat(step) + line)),
      ]),
  ),
  map: fc
    .uniqueArray(fc.tuple(word, between, tie('value')), {
      minLength: 1,
      maxLength: 3,
      selector: ([key]) => key,
    })
    .map((entries) =>
      entries.flatMap(([key, before, [first = '', ...rest]]) => [...before, `${key}:${first}`, ...rest]),
    ),
})).value;

const files = fc
  .record({
    before: fc.array(fc.tuple(word, between, value), { maxLength: 2 }),
    after: fc.array(fc.tuple(word, between, value), { maxLength: 2 }),
    plugins: fc.array(fc.tuple(word, between, value), { maxLength: 3 }),
    title: ending,
    step: fc.integer({ min: 1, max: 5 }),
    last: between,
    hasMark: fc.boolean(),
    eol: fc.constantFrom('\n', '\r\n'),
    isCut: fc.boolean(),
    start: fc.constantFrom('', '---\n', '# first\n'),
  })
  .map(({ before, after, plugins, title, step, last, hasMark, eol, isCut, start }) => {
    const write = (entries: typeof before, prefix: string) =>
      entries.flatMap(([key, lead, [first = '', ...rest]], i) => [
        ...lead,
        `${JSON.stringify(`${prefix}${i} ${key}`)}:${first}`,
        ...rest,
      ]);
    const lines = [
      ...write(before, 'before'),
      `plugins:${title}`,
      ...write(plugins, 'p').map((line) => (line === '' ? '' : ' '.repeat(step) + line)),
      ...write(after, 'after'),
      ...last,
    ];
    const joined = start + lines.join('\n');
    const text = (hasMark ? '\ufeff' : '') + (isCut ? joined.trimEnd() : `${joined}\n`).replaceAll('\n', eol);
    return { text, comments: text.match(/# comment \d+/g) ?? [] };
  });

import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { LineIndex } from '../../../src/definitions/yaml/line-index.ts';
import { parseYaml } from '../../../src/definitions/yaml/parse-yaml.ts';
import { findNode, type PositionNode } from '../../../src/definitions/yaml/position-node.ts';

describe('parsing YAML', () => {
  it('reads an empty document and a document of comments as an empty map', () => {
    for (const text of ['', '\n', '# nothing\n', '---\n', '--- # nothing\n...\n']) {
      deepEqual(
        [parseYaml(text, 'typed').value, parseYaml(text, 'text').value],
        [{}, {}],
        JSON.stringify(text),
      );
    }
  });

  it('accepts a closing bracket that is indented like the key of its list, and keeps all offsets', () => {
    const text = 'A: {\n  attributes: { x: { oid: .1.3, syntax: Integer } }\n} # end\nB: 5\n';
    const document = parseYaml(text, 'typed');
    deepEqual(document.value, { A: { attributes: { x: { oid: '.1.3', syntax: 'Integer' } } }, B: 5 });
    const { node } = findNode(document.entryAt('A')!, ['attributes', 'x', 'syntax']);
    equal(text.slice(node.offset, node.offset + 7), 'Integer');
    equal(document.keyOffset('B'), text.indexOf('B'));
  });

  it('refuses a closing bracket that is indented less than the key of its list', () => {
    const text = 'a:\n  b: [\n    c\n ]\n';
    const { offset, ...problem } = parseYaml(text, 'typed').problems[0]!;
    deepEqual(problem, { rule: 'syntax', message: 'This is not YAML: deficient indentation.' });
    equal(offset, text.indexOf(']'));
  });

  it('does not change brackets inside texts after such a closing bracket', () => {
    const texts = 'c: |\n  x\n  ]\n  y\nd: "q\n  }\n  z"\ne: p\n  ] q\n';
    deepEqual(parseYaml(`a: [\n  b\n]\n${texts}`, 'typed').value, {
      a: ['b'],
      c: 'x\n]\ny\n',
      d: 'q } z',
      e: 'p ] q',
    });
  });

  it('reports the right offsets after closing brackets that are indented too little', () => {
    const twice = 'a: [\n  b # [\n]\nc: {\n  d: [\n    1 ],\n  e: 2\n}\nc: 3\n';
    const { problems } = parseYaml(twice, 'typed');
    deepEqual(
      problems.map(({ rule, offset }) => [rule, offset]),
      [['duplicate-id', twice.lastIndexOf('c')]],
    );
    const alias = 'a: [\n  b\n]\nc: *d\n';
    equal(parseYaml(alias, 'typed').problems[0]?.offset, alias.indexOf('*d') + 1);
    const tag = 'a: [\n  b\n]\nc: !x 1\n';
    equal(parseYaml(tag, 'typed').problems[0]?.offset, tag.indexOf('!x'));
  });

  it('reads the same values and offsets as another parser when closing brackets are indented too little', () => {
    const name = fc.stringMatching(/^[a-e]{1,5}$/);
    const { holder } = fc.letrec<{ holder: unknown; item: unknown }>((tie) => ({
      holder: fc.oneof(
        { depthSize: 'small' },
        fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(name, tie('item'), { minKeys: 1, maxKeys: 3 }),
      ),
      item: fc.oneof({ depthSize: 'small' }, fc.integer(), name, tie('holder')),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, holder, { minKeys: 1, maxKeys: 3 }), (value) => {
        const text = Object.entries(value)
          .map(([key, held]) => `${key}: ${spread(held, '')} # ]\n`)
          .join('');
        const mine = parseYaml(text, 'typed');
        const theirs = parseDocument(text);
        deepEqual(theirs.errors, []);
        deepEqual([mine.problems, { ...mine.value }], [[], theirs.toJS()], text);
        const children = new Map([...mine.keys()].map((key) => [key, mine.entryAt(key)!]));
        compare({ keyOffset: -1, offset: 0, children }, theirs.contents as Node, text);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the spelling of text that looks like something else', () => {
    deepEqual(parseYaml('1.10: 007\n2: yes\n3: ~\n', 'text').value, { '1.10': '007', 2: 'yes', 3: '~' });
  });

  it('counts lines and columns from 1', () => {
    const lines = new LineIndex('ab\ncd\n\nx');
    deepEqual(
      [0, 2, 3, 4, 6, 7].map((offset) => lines.at(offset)),
      [
        { line: 1, column: 1 },
        { line: 1, column: 3 },
        { line: 2, column: 1 },
        { line: 2, column: 2 },
        { line: 3, column: 1 },
        { line: 4, column: 1 },
      ],
    );
  });

  it('finds every value at the same offset as another parser', () => {
    const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.string({ unit: 'grapheme-ascii', maxLength: 12 }));
    const { tree } = fc.letrec<{ tree: unknown; map: unknown }>((tie) => ({
      map: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9 _-]{0,6}[a-z]$/), tie('tree'), {
        minKeys: 1,
        maxKeys: 4,
      }),
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        tie('map'),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      ),
    }));
    const documents = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tree, { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(documents, fc.constantFrom(-1, 0, 1, 2), (value, flowLevel) => {
        const text = dump(value, { flowLevel });
        const mine = parseYaml(text, 'typed');
        deepEqual(mine.problems, []);
        deepEqual(JSON.parse(JSON.stringify(mine.value)), JSON.parse(JSON.stringify(value)));
        const children = new Map([...mine.keys()].map((key) => [key, mine.entryAt(key)!]));
        compare({ keyOffset: -1, offset: 0, children }, parseDocument(text).contents as Node, text);
      }),
      { numRuns: 300 },
    );
  });

  it('never throws, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab:-?[]{},&*!|>%@"\'# \n\t0'), maxLength: 60 }),
        (text) => {
          for (const scalars of ['typed', 'text'] as const) {
            const document = parseYaml(text, scalars);
            ok(document.value !== undefined || document.problems.length > 0);
            for (const key of document.keys()) ok(document.entryAt(key) !== undefined);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Flow style over many lines, each closing bracket indented like what holds the list or map. */
function spread(value: unknown, indentation: string): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indentation}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => spread(item, inner))
    : Object.entries(value).map(([key, item]) => `${key}: ${spread(item, inner)}`);
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indentation}${close}`;
}

function compare(mine: PositionNode, theirs: Node, text: string): void {
  if (isScalar(theirs)) equal(mine.offset, theirs.range?.[0], text);
  else if (isMap(theirs)) {
    for (const { key, value } of theirs.items) {
      const child = mine.children.get(String(isScalar(key) ? key.value : ''));
      ok(child !== undefined, text);
      compare(child, value as Node, text);
    }
  } else if (isSeq(theirs)) {
    for (const [index, item] of theirs.items.entries()) {
      compare(mine.children.get(String(index)) as PositionNode, item as Node, text);
    }
  }
}

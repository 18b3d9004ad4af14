import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { LineIndex } from '../../../src/definitions/yaml/line-index.ts';
import { parseYaml } from '../../../src/definitions/yaml/parse-yaml.ts';
import { findNode, type PositionNode } from '../../../src/definitions/yaml/position-node.ts';

describe('parsing YAML', () => {
  it('takes an empty document and one of comments as an empty map', () => {
    for (const text of ['', '\n', '# nothing\n', '---\n', '--- # nothing\n...\n']) {
      deepEqual(
        [parseYaml(text, 'typed').value, parseYaml(text, 'text').value],
        [{}, {}],
        JSON.stringify(text),
      );
    }
  });

  it('asks the exact parser about what the fast one refuses, places included', () => {
    const text = 'A: {\n  attributes: { x: { oid: .1.3, syntax: Integer } }\n}\nB: 5\n';
    const document = parseYaml(text, 'typed');
    deepEqual(document.value, { A: { attributes: { x: { oid: '.1.3', syntax: 'Integer' } } }, B: 5 });
    const { node } = findNode(document.entryAt('A')!, ['attributes', 'x', 'syntax']);
    equal(text.slice(node.offset, node.offset + 7), 'Integer');
    equal(document.keyOffset('B'), text.indexOf('B'));
  });

  it('does not ask it about control characters', () => {
    equal(parseYaml('a: x\u0007\n', 'typed').problems[0]?.rule, 'syntax');
  });

  it('keeps the spelling of text that looks like something else', () => {
    deepEqual(parseYaml('1.10: 007\n2: yes\n3: ~\n', 'text').value, { '1.10': '007', 2: 'yes', 3: '~' });
  });

  it('sees the lines that people see', () => {
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

  it('finds every value where another parser finds it', () => {
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

  it('never throws, whatever the text', () => {
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

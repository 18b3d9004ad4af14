import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StepCounter } from '../../support/step-counter.ts';
import { compile, moduleOf, object, openMibs } from './support/compile-mibs.ts';
import { hostileTexts } from './support/compile-text.ts';

const work = new URL('./support/compile-text.ts', import.meta.url);

/** Texts of two sizes: the steps per unit must not grow with the size. */
describe('the steps to compile', () => {
  let counter: StepCounter;
  before(() => {
    counter = new StepCounter();
  });
  after(() => counter.close());

  for (const name of Object.keys(hostileTexts)) {
    it(`${name} grow with the size of the text, not faster`, async () => {
      const count = async (size: number) => (await counter.count(work, 'compileHostile', name, size)).steps;
      await count(100);
      const [small, large] = [await count(1_000), await count(4_000)];
      assert.ok(large < 4.5 * small + 1_000, `${small} steps, and ${large} for four times the size`);
    });
  }
});

describe('a hostile MIB', () => {
  it('nests braces, parentheses and types 100,000 deep', (t) => {
    for (const name of [
      'opening braces',
      'opening parentheses',
      'nested sequences',
      'nested types',
    ] as const) {
      const { problems } = compile(t, `T-MIB DEFINITIONS ::= BEGIN ${hostileTexts[name](100_000)}`);
      assert.ok(problems.length > 0, name);
    }
  });

  it('has a circle or a chain of 100,000 OIDs', (t) => {
    const circle = compile(t, moduleOf(hostileTexts['a circle of OIDs'](100_000)));
    assert.equal(Object.keys(circle.nodes).length, 1);
    assert.deepEqual(circle.problems, ['error oid-circle 4:1']);
    const chain = compile(t, moduleOf(hostileTexts['a chain of OIDs from its end'](100_000)));
    assert.equal(Object.values(chain.nodes).filter(({ oid }) => oid!.split('.').length === 128).length, 1);
    assert.deepEqual(
      chain.problems.map((problem) => problem.split(':')[0]!.replace(/\d+/, 'N')),
      ['error oid-too-long N'],
    );
  });

  it('has a circle of types, or a type of itself', (t) => {
    for (const types of ['A ::= B B ::= C C ::= A', 'A ::= A', hostileTexts['a circle of types'](100_000)]) {
      const { nodes, problems } = compile(t, moduleOf(`${types}\n${object('a', 'A0', 'acme 1')}`));
      assert.ok(problems.some((problem) => /^error (type-circle|unknown-type|type-too-deep) /.test(problem)));
      assert.equal(nodes['a']!.type, undefined);
    }
  });

  it('has imports in a circle', (t) => {
    const set = openMibs(t, {
      'A-MIB': 'A-MIB DEFINITIONS ::= BEGIN IMPORTS x, X FROM B-MIB; a OBJECT IDENTIFIER ::= { x 1 } END',
      'B-MIB': `B-MIB DEFINITIONS ::= BEGIN IMPORTS x, X FROM A-MIB; y FROM B-MIB; ${object('b', 'X', 'enterprises 1')} END`,
    });
    assert.deepEqual(
      set.modules().map(({ nodes }) => nodes.length),
      [0, 1],
    );
    const errors = set.problems().filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ rule }) => rule),
      ['unknown-name', 'unknown-type'],
    );
  });

  it('has more words, definitions or modules than are read, and keeps those before', (t) => {
    const words = compile(t, moduleOf('{'.repeat(8_000_100)));
    assert.deepEqual(Object.keys(words.nodes), ['acme']);
    assert.deepEqual(words.problems[0]!.split(' ').slice(0, 2), ['error', 'too-many-words']);
    const definitions = compile(t, moduleOf('a::={b 1}\n'.repeat(400_100)));
    assert.ok(definitions.problems.some((problem) => problem.startsWith('error too-many-definitions ')));
    const empty = Array.from({ length: 50_100 }, (_, i) => `M${i} DEFINITIONS ::= BEGIN END`);
    const modules = compile(t, `${moduleOf('a OBJECT IDENTIFIER ::= { acme 1 }')}\n${empty.join('\n')}`);
    assert.ok(modules.problems.some((problem) => problem.startsWith('error too-many-definitions ')));
    assert.ok('a' in modules.nodes);
  });

  it('has a description of 10 MB', (t) => {
    const text = 'word "" -- \n'.repeat(900_000);
    const { nodes, problems } = compile(
      t,
      moduleOf(`a OBJECT-IDENTITY STATUS current DESCRIPTION "${text}" ::= { acme 1 }`),
    );
    assert.equal(nodes['a']!.description!.length, 'word " --\n'.length * 900_000 - 1);
    assert.deepEqual(problems, []);
  });

  it('has a name of 1 MB: one warning says so, and no message repeats it', (t) => {
    const name = 'a'.repeat(2 ** 20);
    const set = openMibs(t, {
      'T-MIB': moduleOf(`${object(name, 'INTEGER', 'acme 1')}b OBJECT IDENTIFIER ::= { _${name} 1 }`),
    });
    assert.equal(set.module('T-MIB')!.nodes[1]!.name, name);
    const problems = set.problems();
    assert.deepEqual(
      problems.map(({ rule, line }) => `${rule} ${line}`),
      ['name-length 4', 'unknown-name 5'],
    );
    assert.ok(problems.every(({ message }) => message.length < 500));
  });

  it('has names that mean something in JavaScript', (t) => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const set = openMibs(t, {
      'T-MIB': moduleOf(
        names.map((name, i) => object(name, `INTEGER { ${name}(${i}) }`, `acme ${i}`)).join(''),
      ),
    });
    const { nodes } = set.module('T-MIB')!;
    assert.deepEqual(
      nodes.slice(1).map(({ name, enums }) => [name, JSON.stringify(enums)]),
      names.map((name, i) => [name, `{"${name}":${i}}`]),
    );
    assert.equal(set.module('__proto__'), undefined);
    assert.deepEqual(set.findByName('constructor')[0]!.oid, '1.3.6.1.4.1.9999.1');
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { missingShared, sharedPath } from '../../support/needs.ts';
import { compile, moduleOf, object, openMibs, table } from './support/compile-mibs.ts';

const whole = moduleOf(`Name ::= TEXTUAL-CONVENTION
  DISPLAY-HINT "31a"
  STATUS current
  DESCRIPTION "A name,
    of a port"
  SYNTAX OCTET STRING (SIZE (0..31))
${table('port', 'acme 1').replaceAll(' ', '\n')}
state OBJECT-TYPE
  SYNTAX INTEGER { up(1), down('02'H) } -- or else
  ACCESS read-only
  STATUS mandatory
  ::= { acme 2 }
down TRAP-TYPE
  ENTERPRISE acme
  VARIABLES { portIndex }
  ::= 3
all OBJECT-GROUP
  OBJECTS { portIndex }
  STATUS current
  DESCRIPTION "Everything"
  ::= { acme 4 }`);

/** Compiles, and checks that every problem has a place in the text. */
function survive(t: TestContext, text: Buffer): number {
  const set = openMibs(t, { 'T-MIB': text });
  const nodes = set.modules().flatMap((module) => module.nodes);
  JSON.stringify(nodes);
  const lines = text.toString('latin1').split(/\r\n?|\n/);
  for (const problem of set.problems()) {
    const line = lines[problem.line - 1];
    assert.ok(
      line !== undefined && problem.column >= 1 && problem.column <= line.length + 1,
      JSON.stringify(problem),
    );
    assert.ok(problem.message.length < 300 && /\.$/.test(problem.message), problem.message);
    assert.match(problem.rule, /^[a-z-]+$/);
  }
  return nodes.length;
}

describe('a damaged file', () => {
  it('that is cut after any of its lines has a problem and the nodes before that', (t) => {
    const lines = whole.split('\n');
    let before = 0;
    for (let count = 1; count < lines.length - 1; count++) {
      const text = lines.slice(0, count).join('\n');
      const { problems } = compile(t, text);
      assert.notDeepEqual(problems, [], `${count} lines`);
      const nodes = survive(t, Buffer.from(text));
      assert.ok(nodes >= before, `${nodes} nodes in ${count} lines`);
      before = nodes;
    }
    assert.equal(before, 8);
  });

  it('that is cut after any of its characters does no harm', (t) => {
    const bytes = Buffer.from(whole);
    for (let length = 1; length < bytes.length; length += 5) survive(t, bytes.subarray(0, length));
  });

  it('with other bytes in random places does no harm', (t) => {
    const random = makeRandom(20_260_101);
    const bytes = Buffer.from(whole);
    for (let round = 0; round < 200; round++) {
      const damaged = Buffer.from(bytes);
      for (let flips = 1 + random(8); flips > 0; flips--) damaged[random(bytes.length)] = random(256);
      survive(t, damaged);
    }
  });

  it('with lines that are missing, doubled or swapped does no harm', (t) => {
    const random = makeRandom(7);
    for (let round = 0; round < 150; round++) {
      const lines = whole.split('\n');
      lines.splice(1 + random(lines.length - 1), random(3));
      lines.splice(random(lines.length), 0, lines[random(lines.length)]!);
      survive(t, Buffer.from(lines.join('\n')));
    }
  });

  it('without the quotation mark at the end of a text loses no definition', (t) => {
    const text = moduleOf(`a OBJECT-IDENTITY
  STATUS current
  DESCRIPTION "The end is missing
  ::= { acme 1 }
b OBJECT-IDENTITY
  STATUS current
  DESCRIPTION "Fine"
  ::= { acme 2 }
${object('c', 'INTEGER', 'b 1')}`);
    const { nodes, problems } = compile(t, text);
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => nodes[name]?.oid?.slice('1.3.6.1.4.1.9999.'.length)),
      ['1', '2', '2.1'],
    );
    assert.equal(nodes['a']!.description, 'The end is missing');
    assert.deepEqual(problems, ['warning unterminated-text 6:15']);
  });

  it('of a public collection that is cut, or has other bytes, needs little time', {
    skip: missingShared('mibs'),
  }, (t) => {
    const random = makeRandom(41);
    const folder = sharedPath('mibs');
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.txt'))) {
      const bytes = readFileSync(join(folder, name));
      const cut = bytes.subarray(0, random(bytes.length));
      const flipped = Buffer.from(bytes);
      for (let flips = 0; flips < 50; flips++) flipped[random(bytes.length)] = random(256);
      for (const text of [cut, flipped]) {
        const before = process.cpuUsage();
        survive(t, text);
        const { user, system } = process.cpuUsage(before);
        assert.ok(user + system < 5_000_000, `${name}: ${user + system} microseconds`);
      }
    }
  });

  it('of other kinds, such as zeros, is no module', (t) => {
    for (const bytes of [
      Buffer.alloc(10_000),
      Buffer.from(''),
      Buffer.from('DEFINITIONS'),
      Buffer.from('{ } DEFINITIONS ::='),
    ]) {
      const set = openMibs(t, { file: bytes });
      assert.deepEqual([set.modules(), set.problems()], [[], []]);
    }
  });
});

/** The same numbers in every run: below `limit`, by a linear congruential generator. */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

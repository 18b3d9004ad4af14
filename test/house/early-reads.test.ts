import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEarlyReads } from './support/early-reads.ts';
import { floors, readSources } from './support/source-file.ts';

/** A function, the lines where it is wrong, and why. */
const examples: readonly (readonly [says: string, code: string, found: readonly string[]])[] = [
  [
    'a callback that reads what the same await gives',
    `async function start() {
      const sockets = await open(() => sockets.send());
    }`,
    ['2 sockets'],
  ],
  [
    'a method of an object that reads what is made after the await',
    `async function start() {
      listen({ onMessage() { queue.add(1); } });
      await prepare();
      const queue = new Queue();
    }`,
    ['2 queue'],
  ],
  [
    'names of patterns, classes and the top level of a module',
    `on(() => first + second.third + new Fourth());
    await prepare();
    const { a: first, b: [second] } = made();
    class Fourth {}`,
    ['1 first', '1 second', '1 Fourth'],
  ],
  [
    'a function declaration that something names before the await',
    `async function start() {
      on(report);
      await prepare();
      let count = 0;
      function report() { return { count }; }
    }`,
    ['5 count'],
  ],
  [
    'a closure in a loop that waits for the next part',
    `async function start() {
      const end = () => clearTimeout(timer);
      for await (const part of stream) use(part, end);
      const timer = setTimeout(end, 1);
    }`,
    ['2 timer'],
  ],
  [
    'nothing where the await comes before the closure, or after what it reads',
    `async function start() {
      await prepare();
      const run = () => sockets.send();
      const sockets = new Sockets(run);
      await sockets.open();
      return () => later(sockets);
    }`,
    [],
  ],
  [
    'nothing in names of properties, parameters, types and other variables of the same name',
    `async function start() {
      on((queue: number) => queue, (x: typeof queue) => x.queue, () => ({ queue: 1 }), () => { const queue = 1; return queue; });
      await prepare();
      const queue = new Queue();
    }`,
    [],
  ],
  [
    'nothing where the function inside waits, and the one around it does not',
    `function start() {
      on(async () => { await prepare(); queue.add(1); });
      const queue = new Queue();
    }`,
    [],
  ],
];

describe('the search for variables that are read too early', () => {
  for (const [says, code, found] of examples)
    it(`finds ${says}`, () => {
      const expected = found.map((each) => `a.ts:${each}`);
      assert.deepEqual(findEarlyReads({ 'a.ts': `${code}\nexport {};\n` }), expected);
    });
});

describe('the code', () => {
  it('has no closure that reads what its function declares after an await', () => {
    const folders = [...floors, 'bench', 'tools', 'examples'];
    const sources = readSources(...folders).filter(({ path }) => !path.includes('/templates/'));
    const files = Object.fromEntries(sources.map(({ path, text }) => [path, text]));
    assert.deepEqual(findEarlyReads(files), []);
  });
});

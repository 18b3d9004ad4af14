import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Journal } from '../../src/storage/journal.ts';
import { modulePath, nodeOptions } from '../support/own-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const settings = { groupMs: 10, onError: (error: unknown) => assert.fail(String(error)) };

describe('Journal', () => {
  it('returns the last value of each key after any changes', (t) => {
    const change = fc.tuple(
      fc.constantFrom('a', 'b', 'c\n', ''),
      fc.option(fc.jsonValue(), { nil: undefined }),
    );
    fc.assert(
      fc.property(fc.array(change), fc.nat(40), (changes, compactAt) => {
        const path = join(temporaryFolder(t), 'state');
        const expected = new Map<string, unknown>();
        const { journal } = Journal.open(path, settings);
        changes.forEach(([key, value], i) => {
          if (value === undefined) expected.delete(key);
          else expected.set(key, JSON.parse(JSON.stringify(value)));
          if (value === undefined) journal.delete(key);
          else journal.set(key, value);
          if (i === compactAt) void journal.compact(expected);
        });
        journal.close();
        const { journal: again, content } = Journal.open(path, settings);
        again.close();
        assert.deepEqual(content.values, expected);
        assert.equal(content.damagedLines, 0);
        assert.equal(again.wastedLines, 0);
      }),
      { numRuns: 50 },
    );
  });

  it('finds every intact line in a file cut at any byte', (t) => {
    const path = join(temporaryFolder(t), 'state');
    const whole = writeThree(path);
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const { journal, content } = Journal.open(path, settings);
      journal.close();
      const text = whole.subarray(0, length).toString();
      for (const key of ['one', 'two', 'three']) {
        assert.equal(
          content.values.has(key),
          text.includes(`"${key}",{"name":"${key}"}]`),
          `${key} at ${length}`,
        );
      }
    }
  });

  it('loses at most the line with a flipped byte, and keeps the damaged file', (t) => {
    const path = join(temporaryFolder(t), 'state');
    const whole = writeThree(path);
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole);
      flipped[at] = flipped[at]! ^ 0x01;
      writeFileSync(path, flipped);
      const { journal, content } = Journal.open(path, settings);
      journal.close();
      assert.ok(content.values.size >= 2, `byte ${at}`);
      for (const [key, value] of content.values) assert.deepEqual(value, { name: key });
      if (content.damagedLines > 0) assert.deepEqual(readFileSync(`${path}.damaged`), flipped);
    }
  });

  it('keeps flushed values after kill -9 during a compaction', async (t) => {
    const path = join(temporaryFolder(t), 'state');
    const journalFile = modulePath(new URL('../../src/storage/journal.ts', import.meta.url));
    const code = `
      import { Journal } from ${JSON.stringify(journalFile)};
      const { journal } = Journal.open(process.argv[1], { groupMs: 10, onError: console.error });
      const values = new Map();
      for (let i = 0; ; i++) {
        values.set('key' + (i % 10), { i });
        journal.set('key' + (i % 10), { i });
        if (i % 20 === 0) void journal.compact(values);
        if (i % 50 === 49) { journal.flush(); process.stdout.write(i + '\\n'); }
        await new Promise(setImmediate);
      }`;
    const child = spawn(process.execPath, [...nodeOptions, '--input-type=module', '-e', code, path]);
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
      if (printed.length > 200) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const last = Number(printed.trim().split('\n').at(-1));
    const { journal, content } = Journal.open(path, settings);
    journal.close();
    const highest = Math.max(...[...content.values.values()].map((value) => (value as { i: number }).i));
    assert.ok(highest >= last, `${highest} was read and ${last} was flushed`);
    assert.equal(content.values.size, 10);
  });

  it('leaves no unfinished file', async (t) => {
    const path = join(temporaryFolder(t), 'deep', 'state');
    writeThree(path);
    const { journal } = Journal.open(path, settings);
    await journal.compact([['only', 1]]);
    void journal.compact([['only', 2]]);
    journal.close();
    assert.ok(!existsSync(`${path}.new`));
    assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 1);
  });
});

function writeThree(path: string): Buffer {
  const { journal } = Journal.open(path, settings);
  for (const name of ['one', 'two', 'three']) journal.set(name, { name });
  journal.close();
  return readFileSync(path);
}

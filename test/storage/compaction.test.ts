import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Journal } from '../../src/storage/journal.ts';
import { decodeLines } from '../../src/storage/journal-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const settings = { groupMs: 60_000, sliceBytes: 1, onError: (error: unknown) => assert.fail(String(error)) };
const key = fc.constantFrom('a', 'b', 'c', 'd');
const change = fc.record({
  key,
  value: fc.option(fc.nat(99), { nil: undefined }),
  turns: fc.nat(3),
  flush: fc.boolean(),
});

describe('Journal.compact', () => {
  it('keeps the journal intact at every moment, with all changes made meanwhile', async (t) => {
    const folder = temporaryFolder(t);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        async (first, later) => {
          const path = join(folder, String(run++), 'state');
          const { journal } = Journal.open(path, settings);
          const values = new Map<string, unknown>();
          const history = new Map<string, unknown[]>();
          const apply = ({ key, value, flush }: (typeof first)[number]) => {
            history.set(key, [...(history.get(key) ?? [values.get(key)]), value]);
            if (value === undefined) values.delete(key);
            else values.set(key, value);
            if (value === undefined) journal.delete(key);
            else journal.set(key, value);
            if (flush) journal.flush();
            if (flush) history.clear();
          };
          for (const each of first) apply(each);
          history.clear();
          const compacted = journal.compact(values);
          for (const each of later) {
            apply(each);
            for (let i = 0; i < each.turns; i++) {
              await turn();
              assertHolds(path, values, history);
            }
          }
          await compacted;
          journal.flush();
          assert.deepEqual(read(path), values);
          const lines = readFileSync(path, 'utf8')
            .split('\n')
            .filter((line) => line !== '').length;
          assert.equal(journal.wastedLines, lines - values.size);
          journal.close();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('runs when most lines are outdated, beyond the tolerated number', async (t) => {
    const path = join(temporaryFolder(t), 'state');
    const { journal } = Journal.open(path, { ...settings, sliceBytes: 1_000 });
    t.after(() => journal.close());
    const compacting = t.mock.method(journal, 'compact');
    const values = new Map([['a', 0]]);
    for (let i = 0; i <= 14; i++) {
      journal.set('a', i);
      values.set('a', i);
      if (i === 13) journal.compactIfWasteful(values, 10);
      journal.flush();
    }
    assert.equal(journal.wastedLines, 14, 'ten lines, and three for the current one');
    journal.compactIfWasteful(values, 10);
    await compacting.mock.calls[0]?.result;
    assert.equal(journal.wastedLines, 0);
    assert.deepEqual(read(path), values);
  });

  it('lets other work run between its slices', async (t) => {
    const { journal } = Journal.open(join(temporaryFolder(t), 'state'), settings);
    t.after(() => journal.close());
    let [turns, isOver] = [0, false];
    const compacted = journal.compact(Array.from({ length: 50 }, (_, i) => [`key ${i}`, i] as const));
    void compacted.then(() => {
      isOver = true;
    });
    for (; !isOver; turns++) await turn();
    assert.ok(turns >= 50, `${turns} turns of the loop`);
  });

  it('leaves the journal as it was after a failure', async (t) => {
    const path = join(temporaryFolder(t), 'state');
    const errors: unknown[] = [];
    const { journal } = Journal.open(path, { ...settings, onError: (error) => errors.push(error) });
    journal.set('a', 1);
    mkdirSync(`${path}.new`);
    await journal.compact([['b', 2]]);
    assert.equal(errors.length, 1);
    journal.set('c', 3);
    rmSync(`${path}.new`, { recursive: true });
    const failing = function* (): Generator<readonly [string, unknown]> {
      yield ['b', 2];
      throw new Error('no more');
    };
    await journal.compact(failing());
    assert.equal(errors.length, 2);
    assert.ok(!existsSync(`${path}.new`));
    journal.close();
    assert.deepEqual(
      read(path),
      new Map([
        ['a', 1],
        ['c', 3],
      ]),
    );
  });

  it('loses nothing when the journal is closed meanwhile and opened again immediately', async (t) => {
    const path = join(temporaryFolder(t), 'state');
    const { journal } = Journal.open(path, settings);
    const values = new Map(Array.from({ length: 20 }, (_, i) => [`key ${i}`, i]));
    for (const [name, value] of values) journal.set(name, value);
    const compacted = journal.compact(values);
    await turn();
    journal.set('last', 1);
    journal.close();
    const { journal: again, content } = Journal.open(path, settings);
    t.after(() => again.close());
    assert.deepEqual(content.values, new Map([...values, ['last', 1]]));
    const compactedAgain = again.compact(content.values);
    await compacted;
    await compactedAgain;
    assert.deepEqual(read(path), content.values);
  });
});

/** What a kill would leave now: for each key its last flushed value, or a later one. */
function assertHolds(
  path: string,
  now: ReadonlyMap<string, unknown>,
  sinceFlush: ReadonlyMap<string, readonly unknown[]>,
): void {
  const found = read(path);
  for (const name of ['a', 'b', 'c', 'd']) {
    const possible = sinceFlush.get(name) ?? [now.get(name)];
    assert.ok(possible.includes(found.get(name)), `${name} is ${found.get(name)}, not one of ${possible}`);
  }
}

function read(path: string): ReadonlyMap<string, unknown> {
  const { values, damagedLines } = decodeLines(readFileSync(path));
  assert.equal(damagedLines, 0);
  return values;
}

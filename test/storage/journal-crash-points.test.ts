import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Journal } from '../../src/storage/journal.ts';
import { decodeLines } from '../../src/storage/journal-line.ts';
import { type Crash, CrashingFiles } from './support/crashing-files.ts';
import { MemoryFiles } from './support/memory-files.ts';

const path = '/state/values.journal';
const keys = ['a', 'b', 'c'];
const never: Crash = { atChange: Infinity, isTorn: false };

/** What several processes in a row have set, one after the other. */
class Life {
  readonly files = new MemoryFiles();
  readonly values = new Map<string, number>();
  /** What each key has had since it was safe, the value that was safe with them. */
  readonly #since = new Map<string, (number | undefined)[]>();
  #last = 0;

  set(journal: Journal, key: string): void {
    this.#note(key, ++this.#last);
    journal.set(key, this.#last);
  }

  delete(journal: Journal, key: string): void {
    this.#note(key, undefined);
    journal.delete(key);
  }

  settle(): void {
    this.#since.clear();
  }

  assertHolds(found: ReadonlyMap<string, unknown>, story: string): void {
    for (const key of keys) {
      const possible = this.#since.get(key) ?? [this.values.get(key)];
      const value = found.get(key) as number | undefined;
      assert.ok(possible.includes(value), `${story}: ${key} is ${value}, not one of ${possible}`);
      this.#set(key, value);
    }
    this.settle();
  }

  #note(key: string, value: number | undefined): void {
    this.#since.set(key, [...(this.#since.get(key) ?? [this.values.get(key)]), value]);
    this.#set(key, value);
  }

  #set(key: string, value: number | undefined): void {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
  }
}

/** One process, from its start to its stop. */
async function live(life: Life, trouble: Crash, story: string): Promise<CrashingFiles> {
  const files = new CrashingFiles(life.files, trouble);
  const errors: unknown[] = [];
  const onError = (error: unknown) => {
    assert.ok(files.wasReached, `${story}: ${error}`);
    errors.push(error);
  };
  let opened: ReturnType<typeof Journal.open>;
  try {
    opened = Journal.open(path, { groupMs: 60_000, sliceBytes: 20, files, onError });
  } catch (error) {
    assert.ok(files.wasReached, String(error));
    return files;
  }
  life.assertHolds(opened.content.values, story);
  const { journal } = opened;
  const settleAfter = (step: () => void) => {
    const before = errors.length;
    step();
    if (errors.length === before && !files.hasCrashed) life.settle();
  };
  for (const key of keys) life.set(journal, key);
  settleAfter(() => journal.flush());
  life.set(journal, 'a');
  const compacted = journal.compact(life.values);
  life.delete(journal, 'b');
  await Promise.resolve();
  life.set(journal, 'c');
  await compacted;
  life.set(journal, 'b');
  settleAfter(() => journal.flush());
  life.set(journal, 'c');
  settleAfter(() => journal.close());
  return files;
}

async function tell(troubles: readonly Crash[], afterEach: (life: Life) => void = () => {}) {
  const story = JSON.stringify(troubles);
  const life = new Life();
  let wereMet = true;
  for (const trouble of troubles) {
    wereMet = (await live(life, trouble, story)).wasReached && wereMet;
    afterEach(life);
  }
  if (troubles.every(({ code }) => code !== undefined) && life.files.paths.includes(path))
    assert.equal(decodeLines(life.files.readFile(path)).damagedLines, 0, story);
  await live(life, never, story);
  const { values, damagedLines } = decodeLines(life.files.readFile(path));
  assert.deepEqual([values, damagedLines], [new Map(life.values), 0], story);
  assert.deepEqual(
    life.files.paths.filter((each) => each !== `${path}.damaged`),
    [path],
    story,
  );
  return wereMet;
}

async function tellOfTwoDeaths(isTorn: boolean, afterEach?: (life: Life) => void): Promise<void> {
  let series = 0;
  for (let first = 0, second = -1; second !== 0; first++, series += second) {
    second = 0;
    while (
      await tell(
        [first, second].map((atChange) => ({ atChange, isTorn })),
        afterEach,
      )
    )
      second++;
  }
  assert.ok(series > 300, `${series}`);
}

describe('a journal whose process is killed at any change of its files', () => {
  for (const isTorn of [false, true]) {
    it(`and the next one too, holds all that was flushed (${isTorn ? 'half' : 'nothing'} of the last write is there)`, async () => {
      await tellOfTwoDeaths(isTorn);
    });
  }

  it('holds it also where the whole machine lost its power with it', async () => {
    await tellOfTwoDeaths(false, (life) => life.files.losePower());
  });
});

describe('a journal whose disk fails once', () => {
  for (const code of ['ENOSPC', 'EIO']) {
    it(`with ${code}, at any change, has all there is at its stop`, async () => {
      for (const isTorn of [false, true]) {
        let atChange = 0;
        while (await tell([{ atChange, isTorn, code }])) atChange++;
        assert.ok(atChange > 15, `${atChange}`);
      }
    });
  }
});

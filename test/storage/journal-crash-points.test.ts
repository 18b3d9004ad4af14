import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Journal } from '../../src/storage/journal.ts';
import { decodeLines } from '../../src/storage/journal-line.ts';
import { type Crash, CrashingFiles } from './support/crashing-files.ts';
import { MemoryFiles } from './support/memory-files.ts';

const path = '/state/values.journal';
const keys = ['a', 'b', 'c'];
const never: Crash = { atChange: Infinity, isTorn: false };

/** The changes that several processes have made, one after another. */
class History {
  readonly files = new MemoryFiles();
  readonly values = new Map<string, number>();
  /** The possible values of each key: the last safe one and all later ones. */
  readonly #since = new Map<string, (number | undefined)[]>();
  #last = 0;

  set(journal: Journal, key: string): void {
    this.#record(key, ++this.#last);
    journal.set(key, this.#last);
  }

  delete(journal: Journal, key: string): void {
    this.#record(key, undefined);
    journal.delete(key);
  }

  settle(): void {
    this.#since.clear();
  }

  assertHolds(found: ReadonlyMap<string, unknown>, crashPoints: string): void {
    for (const key of keys) {
      const possible = this.#since.get(key) ?? [this.values.get(key)];
      const value = found.get(key) as number | undefined;
      assert.ok(possible.includes(value), `${crashPoints}: ${key} is ${value}, not one of ${possible}`);
      this.#set(key, value);
    }
    this.settle();
  }

  #record(key: string, value: number | undefined): void {
    this.#since.set(key, [...(this.#since.get(key) ?? [this.values.get(key)]), value]);
    this.#set(key, value);
  }

  #set(key: string, value: number | undefined): void {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
  }
}

/** One process, from its start to its stop. */
async function runProcess(history: History, crash: Crash, crashPoints: string): Promise<CrashingFiles> {
  const files = new CrashingFiles(history.files, crash);
  const errors: unknown[] = [];
  const onError = (error: unknown) => {
    assert.ok(files.wasReached, `${crashPoints}: ${error}`);
    errors.push(error);
  };
  let opened: ReturnType<typeof Journal.open>;
  try {
    opened = Journal.open(path, { groupMs: 60_000, sliceBytes: 20, files, onError });
  } catch (error) {
    assert.ok(files.wasReached, String(error));
    return files;
  }
  history.assertHolds(opened.content.values, crashPoints);
  const { journal } = opened;
  const settleAfter = (step: () => void) => {
    const before = errors.length;
    step();
    if (errors.length === before && !files.hasCrashed) history.settle();
  };
  for (const key of keys) history.set(journal, key);
  settleAfter(() => journal.flush());
  history.set(journal, 'a');
  const compacted = journal.compact(history.values);
  history.delete(journal, 'b');
  await Promise.resolve();
  history.set(journal, 'c');
  await compacted;
  history.set(journal, 'b');
  settleAfter(() => journal.flush());
  history.set(journal, 'c');
  settleAfter(() => journal.close());
  return files;
}

async function checkCrashes(crashes: readonly Crash[], afterEach: (history: History) => void = () => {}) {
  const crashPoints = JSON.stringify(crashes);
  const history = new History();
  let wereReached = true;
  for (const crash of crashes) {
    wereReached = (await runProcess(history, crash, crashPoints)).wasReached && wereReached;
    afterEach(history);
  }
  if (crashes.every(({ code }) => code !== undefined) && history.files.paths.includes(path))
    assert.equal(decodeLines(history.files.readFile(path)).damagedLines, 0, crashPoints);
  await runProcess(history, never, crashPoints);
  const { values, damagedLines } = decodeLines(history.files.readFile(path));
  assert.deepEqual([values, damagedLines], [new Map(history.values), 0], crashPoints);
  assert.deepEqual(
    history.files.paths.filter((each) => each !== `${path}.damaged`),
    [path],
    crashPoints,
  );
  return wereReached;
}

async function checkTwoCrashes(isTorn: boolean, afterEach?: (history: History) => void): Promise<void> {
  let series = 0;
  for (let first = 0, second = -1; second !== 0; first++, series += second) {
    second = 0;
    while (
      await checkCrashes(
        [first, second].map((atChange) => ({ atChange, isTorn })),
        afterEach,
      )
    )
      second++;
  }
  assert.ok(series > 300, `${series}`);
}

describe('Journal after a crash at any change of its files', () => {
  for (const isTorn of [false, true]) {
    it(`and another crash of the next process keeps all flushed values (${isTorn ? 'half' : 'nothing'} of the last write is stored)`, async () => {
      await checkTwoCrashes(isTorn);
    });
  }

  it('keeps all flushed values when the machine loses its power', async () => {
    await checkTwoCrashes(false, (history) => history.files.losePower());
  });
});

describe('Journal on a disk that fails once', () => {
  for (const code of ['ENOSPC', 'EIO']) {
    it(`with ${code} at any change keeps all values`, async () => {
      for (const isTorn of [false, true]) {
        let atChange = 0;
        while (await checkCrashes([{ atChange, isTorn, code }])) atChange++;
        assert.ok(atChange > 15, `${atChange}`);
      }
    });
  }
});

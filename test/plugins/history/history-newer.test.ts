import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import { MemoryFiles } from '../../storage/support/memory-files.ts';

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 31);
const limit = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 50 };
const hours = 26;

async function open(files: MemoryFiles, now: () => number) {
  const warnings: string[] = [];
  const store = await HistoryStore.open({
    directory: '/history',
    limits: { polled: limit, five_minutes: limit, hours: limit },
    flushMs: 2 ** 30,
    log: {
      error: assert.fail,
      warn: ({ path }: { path: string }, message: string) => warnings.push(`${path} ${message}`),
    } as never,
    files,
    now,
  });
  return { store, warnings };
}

async function write(hoursOfPolls: number): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  let nowMs = startMs;
  const { store } = await open(files, () => nowMs);
  for (let hour = 0; hour < hoursOfPolls; hour++) {
    if (hour > 0) await store.sort();
    nowMs = startMs + hour * hourMs;
    store.take([createTestBatch({ timeMs: nowMs, rows: [{ key: 'a', values: { level: hour } }] })]);
  }
  await store.close();
  return files;
}

async function values(store: HistoryStore): Promise<number> {
  const never = new AbortController().signal;
  const span = { fromMs: startMs, toMs: startMs + 2 * hours * hourMs };
  const asked = {
    devices: ['router-1'],
    record: 'TEST-MIB::testEntry',
    fields: ['level'],
    aggregate: 'mean',
  } as const;
  const { series } = await readHistory(store, { ...asked, ...span }, never);
  return series.flatMap((each) => each.values).filter((value) => value !== null).length;
}

function replaceVersion(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replaceAll(/(waywiser (?:history|recent) )\d/g, '$19'),
    'latin1',
  );
}

for (const [kind, pattern] of [
  ['polls', /\/polled-000000003-/],
  ['spans', /\/five_minutes-000000025-/],
  ['recent polls', /\/recent-000000026$/],
] as const) {
  describe(`a file that a newer version wrote: ${kind}`, () => {
    it('is left out, named once, never changed, and no other file is given its place', async () => {
      const files = await write(hours);
      const path = files.paths.find((each) => pattern.test(each));
      assert.ok(path !== undefined, files.paths.join());
      const newer = replaceVersion(files.readFile(path));
      const content = Object.fromEntries(
        files.paths.map((each) => [each, each === path ? newer : Buffer.from(files.readFile(each))]),
      );
      const changed = new MemoryFiles(content);
      let nowMs = startMs + hours * hourMs;
      const { store, warnings } = await open(changed, () => nowMs);
      const before = await values(store);
      assert.ok(before >= hours - 1, `${before} values`);
      for (let hour = hours; hour < 2 * hours; hour++) {
        nowMs = startMs + hour * hourMs;
        store.take([createTestBatch({ timeMs: nowMs, rows: [{ key: 'a', values: { level: hour } }] })]);
        await store.sort();
      }
      assert.equal(await values(store), before + hours);
      await store.close();
      const again = await open(changed, () => nowMs);
      await again.store.sort();
      assert.equal(await values(again.store), before + hours);
      await again.store.close();
      assert.deepEqual(changed.readFile(path), newer);
      assert.deepEqual(warnings, [
        `${path} A newer version wrote a file of the history. Its values are left out.`,
      ]);
      assert.deepEqual([store.newerFiles, store.damagedFiles], [[path], []]);
    });
  });
}

describe('a file of the history that the system cannot read', () => {
  it('is named, and does not cost the values of other files', async () => {
    const files = await write(hours);
    const path = files.paths.find((each) => each.includes('/polled-000000003-'))!;
    class Unreadable extends MemoryFiles {
      override open(name: string, mode: Parameters<MemoryFiles['open']>[1]): number {
        if (name === path && this.isBroken) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        return super.open(name, mode);
      }
      isBroken = false;
    }
    const broken = new Unreadable(
      Object.fromEntries(files.paths.map((each) => [each, Buffer.from(files.readFile(each))])),
    );
    const { store } = await open(broken, () => startMs + hours * hourMs);
    broken.isBroken = true;
    assert.equal(await values(store), hours - 1);
    assert.deepEqual(store.damagedFiles, [path]);
    await store.close();
  });
});

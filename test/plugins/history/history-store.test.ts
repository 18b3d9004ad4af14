import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { HistorySettings } from '../../../plugins/history/history-settings.ts';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import type { HistoryQuestion } from '../../../plugins/history/service.ts';
import type { Batch } from '../../../src/index.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import type { TestBatchParts } from '../../../src/testing/test-batch.ts';
import { createFailingFiles } from '../../storage/support/failing-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.UTC(2026, 0, 31, 12);
const mebibyte = 2 ** 20;

type Polled = NonNullable<TestBatchParts['rows']>;

function pollAt(timeMs: number, rows: Polled): Batch {
  return createTestBatch({
    timeMs,
    slotMs: timeMs,
    intervalMs: minuteMs,
    startedMs: startMs - hourMs,
    rows,
  });
}

/** A store with a clock that a test sets. */
async function openStore(name: string, settings: Partial<HistorySettings> = {}) {
  const directory = join(folder, name);
  const clock = { nowMs: startMs };
  const lines: string[] = [];
  const log = (details: object, message: string) => void lines.push(`${message} ${JSON.stringify(details)}`);
  const limit = { maxBytes: 1024 * mebibyte, maxAgeMs: 1e12 };
  const store = await HistoryStore.open({
    directory,
    limits: { polled: limit, five_minutes: limit, hours: limit },
    flushMs: 2 ** 30,
    log: { info: log, warn: log, error: log, debug: log } as never,
    now: () => clock.nowMs,
    ...settings,
  });
  const ask = async (question: Partial<HistoryQuestion>) =>
    readHistory(
      store,
      {
        devices: ['router-1'],
        record: 'TEST-MIB::testEntry',
        fromMs: startMs,
        toMs: clock.nowMs,
        aggregate: 'mean',
        ...question,
      },
      new AbortController().signal,
    );
  const take = (...batches: readonly Batch[]) => {
    for (const batch of batches) {
      clock.nowMs = batch.timeMs;
      store.take([batch]);
    }
  };
  const files = (tier: string) => readdirSync(directory).filter((each) => each.startsWith(tier));
  return { store, clock, ask, take, lines, directory, files };
}

describe('the store of the history', () => {
  it('returns all values, with their gaps, before and after they are sorted and after a restart', async () => {
    const { store, ask, take } = await openStore('values');
    const polls = Array.from({ length: 10 }, (_, i) =>
      pollAt(startMs + i * minuteMs, [
        { key: 'a', labels: { name: 'eth0' }, values: { octets: BigInt(6_000 * i), level: 0.5 + i } },
        {
          key: 'b',
          labels: { name: 'eth1' },
          values: i === 4 ? { octets: 7n } : { octets: 7n, level: 9 - i },
        },
      ]),
    );
    take(...polls);
    const recent = await ask({});
    assert.deepEqual(
      recent.times,
      polls.map(({ timeMs }) => timeMs),
    );
    const rows = recent.series.map(({ row, field, labels }) => `${row} ${labels['name']} ${field}`);
    assert.deepEqual(rows, ['a eth0 octets_rate', 'b eth1 octets_rate', 'a eth0 level', 'b eth1 level']);
    const [rate, , level, holed] = recent.series;
    assert.deepEqual(rate!.values, [null, ...Array(9).fill(100)]);
    assert.deepEqual(rate!.gaps, [{ fromMs: startMs, toMs: startMs, why: 'unseeded' }]);
    assert.deepEqual(level!.values, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]);
    assert.deepEqual(holed!.values, [9, 8, 7, 6, null, 4, 3, 2, 1, 0]);
    const at = startMs + 4 * minuteMs;
    assert.deepEqual(holed!.gaps, [{ fromMs: at, toMs: at, why: 'noSuchInstance' }]);
    const counters = await ask({ rows: ['a'], fields: ['octets'] });
    assert.deepEqual(
      counters.series.map(({ values, metric }) => [values.at(-1), metric]),
      [[54_000, 'counter']],
    );
    await store.sort();
    assert.deepEqual(await ask({}), recent);
    take(pollAt(startMs + 10 * minuteMs, [{ key: 'a', values: { octets: 60_000n, level: 1 } }]));
    const longer = await ask({ toMs: startMs + hourMs });
    assert.equal(longer.series[0]!.values.at(-1), 100, 'the rate compares with the sorted file');
    await store.close();
    const again = await openStore('values');
    assert.deepEqual(await again.ask({ toMs: startMs + hourMs }), longer);
    await again.store.close();
  });

  it('computes minimum, mean, maximum and count of steps, the same from every tier', async () => {
    const { store, ask, take } = await openStore('steps');
    const pollsOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) =>
        pollAt(startMs + (from + i) * minuteMs, [{ key: 'a', values: { level: (from + i) % 10 } }]),
      );
    take(...pollsOf(0, 30));
    const questions = [
      { stepMs: 300_000, aggregate: 'mean' },
      { stepMs: 300_000, aggregate: 'min' },
      { stepMs: 600_000, aggregate: 'max' },
      { stepMs: 300_000, aggregate: 'count' },
      { stepMs: hourMs, aggregate: 'mean' },
    ] as const;
    const askAll = () =>
      Promise.all(questions.map((question) => ask({ ...question, toMs: startMs + 30 * minuteMs })));
    const answers = await askAll();
    assert.deepEqual(
      answers.map(({ series }) => series[0]!.values),
      [[2, 7, 2, 7, 2, 7], [0, 5, 0, 5, 0, 5], [9, 9, 9], [5, 5, 5, 5, 5, 5], [4.5]],
    );
    await store.sort();
    assert.deepEqual(await askAll(), answers, 'from the tier of five minutes');
    for (let i = 30; i < 54; i++) {
      take(...pollsOf(i, i + 1));
      await store.sort();
    }
    assert.equal(store.entries('hours').length, 1);
    assert.equal(store.entries('five_minutes').length, 2, 'merged, and one that came later');
    assert.deepEqual((await askAll()).slice(0, -1), answers.slice(0, -1), 'after a merge');
    const hour = await ask({ stepMs: hourMs, toMs: startMs + hourMs });
    // 54 values: five times 0 to 9, and 0 to 3. A tier rounds means to thousandths.
    assert.ok(Math.abs(hour.series[0]!.values[0]! - (5 * 45 + 6) / 54) < 0.001);
    await store.close();
  });

  it('goes on with a row whose place has changed, and keeps states by their numbers', async () => {
    const { store, ask, take } = await openStore('renumbered');
    const states = new Map([
      [1, 'up'],
      [2, 'down'],
    ]);
    const withState = (timeMs: number, keys: readonly string[], texts: readonly string[]): Batch => {
      const batch = pollAt(
        timeMs,
        keys.map((key) => ({ key, values: { octets: key === 'a' ? 100n : 5n } })),
      );
      const column = { kind: 'text', field: 'state', values: texts, about: { names: states } } as const;
      return {
        ...batch,
        columns: [...batch.columns, column, { kind: 'text', field: 'alias', values: texts }],
      };
    };
    take(
      withState(startMs, ['a', 'b'], ['up', 'down']),
      withState(startMs + minuteMs, ['b', 'a'], ['up', '7']),
      withState(startMs + 2 * minuteMs, ['c', 'a'], ['down', 'odd']),
    );
    for (const isSorted of [false, true]) {
      if (isSorted) await store.sort();
      const { series } = await ask({ fields: ['state', 'alias', 'octets_rate'] });
      const found = Object.fromEntries(series.map(({ row, field, values }) => [`${row} ${field}`, values]));
      assert.deepEqual(found['a state'], [1, 7, null]);
      assert.deepEqual(found['b state'], [2, 1, null]);
      assert.deepEqual(found['a octets_rate'], [null, 0, 0]);
      assert.deepEqual(found['c state'], [null, null, 2]);
      assert.equal(found['a alias'], undefined);
      assert.deepEqual(series.find(({ field }) => field === 'state')?.names, [...states]);
      const gaps = series.find(({ row, field }) => row === 'a' && field === 'state')?.gaps;
      assert.deepEqual(gaps, [
        { fromMs: startMs + 2 * minuteMs, toMs: startMs + 2 * minuteMs, why: 'decode' },
      ]);
    }
    await store.close();
  });

  it('shows a time without polls as a gap', async () => {
    const { store, ask, take } = await openStore('holes');
    const row = [{ key: 'a', values: { level: 3 } }];
    take(...[0, 1, 5, 6].map((i) => pollAt(startMs + i * minuteMs, row)));
    const at = startMs + 2 * minuteMs;
    const polled = await ask({});
    assert.deepEqual(polled.series[0]!.values, [3, 3, null, 3, 3]);
    assert.deepEqual(polled.series[0]!.gaps, [{ fromMs: at, toMs: at, why: 'unpolled' }]);
    const stepped = await ask({ stepMs: minuteMs, toMs: startMs + 7 * minuteMs });
    assert.deepEqual(stepped.series[0]!.values, [3, 3, null, null, null, 3, 3]);
    assert.deepEqual(stepped.series[0]!.gaps, [{ fromMs: at, toMs: at + 3 * minuteMs, why: 'unpolled' }]);
    await store.close();
  });

  it('has no gaps where a record was polled less often than now', async () => {
    const { store, ask, take } = await openStore('interval');
    const row = { key: 'a', labels: {}, values: { level: 1 } };
    const often = 10_000;
    const slow = [0, 1, 2, 3].map((i) => pollAt(startMs + i * minuteMs, [row]));
    const fast = [1, 2, 3].map((i) => ({
      ...pollAt(startMs + 3 * minuteMs + i * often, [row]),
      intervalMs: often,
    }));
    take(...slow, ...fast);
    const times = [...slow, ...fast].map(({ timeMs }) => timeMs);
    const check = async () => {
      const answer = await ask({});
      assert.deepEqual(answer.times, times);
      assert.deepEqual(answer.series[0]!.gaps, []);
    };
    await check();
    await store.sort();
    await check();
    await store.close();
  });

  it('keeps limits in bytes and days by removing the oldest files', async () => {
    const limit = { maxBytes: 1024 * mebibyte, maxAgeMs: 1e12 };
    const { store, clock, take, files, lines } = await openStore('limits', {
      limits: { polled: { ...limit, maxAgeMs: 3 * hourMs }, five_minutes: limit, hours: limit },
    });
    for (let hour = 0; hour < 6; hour++) {
      take(pollAt(startMs + hour * hourMs, [{ key: 'a', values: { level: hour } }]));
      await store.sort();
    }
    clock.nowMs = startMs + 6 * hourMs;
    await store.sort();
    assert.equal(files('polled').length, 3);
    assert.equal(files('five_minutes').length, 6);
    assert.equal(store.tier('polled').fromMs, startMs + 3 * hourMs);
    assert.deepEqual(lines, []);
    await store.close();
  });

  it('makes room on a full disk by removing the oldest file, and says so', async () => {
    const files = createFailingFiles();
    const { store, take, lines, ask, clock } = await openStore('full', { files });
    const noise = (hour: number) =>
      Array.from({ length: 2_000 }, (_, i) => ({ key: `row ${i}`, values: { level: Math.sin(i + hour) } }));
    for (let hour = 0; hour < 3; hour++) {
      take(pollAt(startMs + hour * hourMs, noise(hour)));
      await store.sort();
    }
    files.quotaBytes = files.usedBytes + 2_000;
    take(pollAt(startMs + 3 * hourMs, noise(3)));
    assert.equal(store.flush(), true);
    assert.ok(store.droppedFiles > 0);
    assert.match(
      lines[0]!,
      /^The disk is full\. The oldest file of the history was removed\. .*polled-000000001/,
    );
    clock.nowMs = startMs + 4 * hourMs;
    const { series } = await ask({ rows: ['row 5'] });
    assert.equal(series[0]!.values.at(-1), Math.sin(8));
    await store.close();
  });

  it('loses and counts batches when the disk accepts nothing, says so once, and goes on when it does again', async () => {
    const files = createFailingFiles();
    const { store, take, lines, ask } = await openStore('failing', { files, maxPendingBytes: 2 * mebibyte });
    files.writing = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    const wide = Array.from({ length: 3_000 }, (_, i) => ({
      key: `${i}`,
      values: { a: Math.sin(i), b: Math.cos(i) },
    }));
    for (let i = 0; i < 60; i++) take(pollAt(startMs + i * 1000, wide));
    assert.ok(store.lostBatches > 0);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /^Writing the history failed\. It is tried again\./);
    files.writing = undefined;
    assert.equal(store.flush(), true);
    take(pollAt(startMs + hourMs - 1, wide));
    const { series } = await ask({ rows: ['7'], fields: ['a'] });
    assert.equal(series[0]!.values.at(-1), Math.sin(7));
    await store.close();
  });

  it('loses with a damaged file only what was in its damaged part, and names the file', async () => {
    const { store, take, directory } = await openStore('damaged');
    const rows = Array.from({ length: 300 }, (_, i) => ({
      key: `${i}`,
      values: { a: Math.sin(i), b: Math.cos(i) },
    }));
    for (let hour = 0; hour < 3; hour++) {
      take(pollAt(startMs + hour * hourMs, rows));
      await store.sort();
    }
    take(pollAt(startMs + 3 * hourMs, rows), pollAt(startMs + 3 * hourMs + 1, rows));
    await store.close();
    const polled = readdirSync(directory)
      .filter((name) => name.startsWith('polled'))
      .sort();
    const recent = readdirSync(directory)
      .filter((name) => name.startsWith('recent'))
      .sort()
      .at(-1)!;
    damage(join(directory, polled[0]!), (bytes) => bytes.fill(0xff, 4_000, 4_050));
    truncateSync(join(directory, polled[1]!), 1_000);
    damage(join(directory, recent), (bytes) => bytes.fill(0, bytes.length - 200, bytes.length - 100));
    const again = await openStore('damaged');
    again.clock.nowMs = startMs + 4 * hourMs;
    const { series } = await again.ask({ rows: ['9'], stepMs: minuteMs });
    const found = Object.fromEntries(
      series.map(({ field, values }) => [field, values.flatMap((value, i) => (value === null ? [] : [i]))]),
    );
    assert.deepEqual(
      Object.values(found)
        .map((list) => list.length)
        .sort(),
      [2, 3],
      JSON.stringify(found),
    );
    const named = again.store.damagedFiles.map((path) => path.slice(directory.length + 1)).sort();
    assert.deepEqual(named, [polled[0]!, polled[1]!, recent].sort());
    assert.equal(again.lines.length, 3);
    await again.store.close();
  });
});

describe('a merge that was interrupted', () => {
  it('counts no value twice', async () => {
    const { store, take, ask, directory } = await openStore('interrupted');
    const kept = new Map<string, Buffer>();
    for (let i = 0; i < 24; i++) {
      take(pollAt(startMs + i * minuteMs, [{ key: 'a', values: { level: i } }]));
      for (const name of readdirSync(directory)) {
        if (name.startsWith('five_minutes')) kept.set(name, readFileSync(join(directory, name)));
      }
      await store.sort();
    }
    const before = await ask({ stepMs: 300_000, aggregate: 'count' });
    await store.close();
    for (const [name, bytes] of kept) writeFileSync(join(directory, name), bytes);
    writeFileSync(join(directory, 'polled-000000099.new'), 'half');
    const again = await openStore('interrupted');
    again.clock.nowMs = startMs + 23 * minuteMs;
    assert.deepEqual(await again.ask({ stepMs: 300_000, aggregate: 'count' }), before);
    assert.equal(again.files('five_minutes').length, 1);
    assert.deepEqual(
      again.files('polled').filter((name) => name.endsWith('.new')),
      [],
    );
    await again.store.close();
  });
});

function damage(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import history, { historyToken } from '../../../plugins/history/index.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import httpRoutes from '../../../plugins/http-routes/index.ts';
import { type Batch, defineOutput, pipelineToken } from '../../../src/index.ts';
import { createTestBatch, startTestCollector } from '../../../src/testing/index.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 31, 12);
const limit = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 50 };
const hours = 70;
const notAllowed = 'mount is not allowed here';

function poll(timeMs: number, seed: number, count = 2_000): Batch {
  const rows = Array.from({ length: count }, (_, i) => ({
    key: `row ${i}`,
    values: { level: Math.sin(i + seed) },
  }));
  return createTestBatch({ timeMs, slotMs: timeMs, intervalMs: hourMs, rows });
}

function fill(folder: string): void {
  const piece = Buffer.alloc(1 << 16, 1);
  try {
    for (let i = 0; ; i++) writeFileSync(join(folder, `filler-${i}`), piece);
  } catch {
    // The last piece may be a part of one.
  }
}

describe('the history on a real disk that is full', () => {
  it('keeps the newest days and drops the oldest, hour after hour, also after a restart', async (t) => {
    const folder = mountSmallDisk(t, 1 << 20);
    if (folder === undefined) return t.skip(notAllowed);
    const directory = join(folder, 'history');
    let nowMs = startMs;
    const lines: string[] = [];
    const log = (_: object, message: string) => void lines.push(message);
    const open = () =>
      HistoryStore.open({
        directory,
        limits: { polled: limit, five_minutes: limit, hours: limit },
        flushMs: 2 ** 30,
        log: { error: log, warn: log, info: log, debug: log } as never,
        now: () => nowMs,
      });
    let store = await open();
    for (let hour = 0; hour < hours; hour++) {
      nowMs = startMs + hour * hourMs;
      store.take([poll(nowMs, hour)]);
      await store.sort();
      if (hour !== hours / 2) continue;
      await store.close();
      store = await open();
    }
    assert.ok(store.droppedFiles > 10, `${store.droppedFiles} files were dropped`);
    assert.equal(store.lostBatches, 0);
    assert.deepEqual(
      lines.filter((line) => !/^The disk is full\. The oldest file of the history was removed\./.test(line)),
      [],
    );
    const toMs = startMs + hours * hourMs;
    const { series } = await readHistory(
      store,
      {
        devices: ['router-1'],
        record: 'TEST-MIB::testEntry',
        rows: ['row 5'],
        fromMs: toMs - 6 * hourMs,
        toMs,
        aggregate: 'mean',
      },
      new AbortController().signal,
    );
    // The means of five minutes are rounded to thousandths.
    assert.deepEqual(
      series[0]!.values.map((value) => value?.toFixed(2)),
      Array.from({ length: 6 }, (_, i) => Math.sin(5 + hours - 6 + i).toFixed(2)),
    );
    await store.close();
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.endsWith('.new')),
      [],
    );
  });

  it('can be read, also what is not written yet', async (t) => {
    const folder = mountSmallDisk(t, 1 << 20);
    if (folder === undefined) return t.skip(notAllowed);
    const lines: string[] = [];
    const log = (_: object, message: string) => void lines.push(message);
    const store = await HistoryStore.open({
      directory: join(folder, 'history'),
      limits: { polled: limit, five_minutes: limit, hours: limit },
      flushMs: 2 ** 30,
      log: { error: log, warn: log, info: log, debug: log } as never,
      now: () => startMs,
    });
    store.take([poll(startMs, 0)]);
    assert.ok(store.flush());
    fill(folder);
    for (let minute = 1; minute < 5; minute++) store.take([poll(startMs + 60_000 * minute, minute)]);
    assert.ok(!store.flush());
    const asked = { devices: ['router-1'], record: 'TEST-MIB::testEntry', rows: ['row 5'] };
    const span = { fromMs: startMs, toMs: startMs + hourMs, aggregate: 'mean' } as const;
    const { series } = await readHistory(store, { ...asked, ...span }, new AbortController().signal);
    assert.deepEqual(
      series[0]!.values,
      [0, 1, 2, 3, 4].flatMap((minute) => [Math.sin(5 + minute)]),
    );
    assert.deepEqual(lines, ['Writing the history failed. It is tried again.']);
    await store.close();
  });

  it('never delays what else is delivered, counts what it lost, and goes on when there is room', async (t) => {
    // Larger than what may wait in memory.
    const folder = mountSmallDisk(t, 32 << 20);
    if (folder === undefined) return t.skip(notAllowed);
    let others = 0;
    const other = defineOutput({
      name: 'other',
      summary: 'Counts batches.',
      open: () => ({
        async write(batches) {
          others += batches.length;
        },
      }),
    });
    const collector = await startTestCollector({
      stateDirectory: folder,
      plugins: [
        { plugin: httpRoutes },
        { plugin: other, options: { delivery: { group_wait_ms: 0 } } },
        { plugin: history, options: { flush_seconds: 1, delivery: { group_wait_ms: 0 } } },
      ],
    });
    const pipeline = collector.getService(pipelineToken);
    const service = collector.getService(historyToken);
    fill(folder);
    const wide = poll(0, 1, 40_000);
    let pushed = 0;
    const push = async (count: number) => {
      for (let i = 0; i < count; i++) {
        pipeline.push({ ...wide, timeMs: Date.now() - 10_000 + pushed, sequence: ++pushed });
        await until(() => others === pushed);
      }
    };
    await push(60);
    await until(() => pipeline.counters.outputs['history']!.queued === 0);
    assert.ok(service.state.lostBatches > 0);
    assert.equal(pipeline.counters.outputs['history']!.dropped, 0);
    for (const name of readdirSync(folder)) if (name.startsWith('filler')) rmSync(join(folder, name));
    await until(async () => {
      await push(1);
      return service.state.tiers[0]!.bytes > 0;
    });
    const lost = service.state.lostBatches;
    await push(2);
    await until(() => pipeline.counters.outputs['history']!.queued === 0);
    assert.equal(service.state.lostBatches, lost);
    await collector.stop();
  });
});

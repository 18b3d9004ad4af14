import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { QuestionQueue } from '../../../plugins/history/question-queue.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import type { HistoryQuestion } from '../../../plugins/history/service.ts';
import type { Batch } from '../../../src/index.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import { SliceTurns } from '../../../src/timing/slices.ts';
import { MemoryFiles } from '../../storage/support/memory-files.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 0, 31, 12);
const devices = Array.from({ length: 20 }, (_, i) => `access-${i}`);
const rows = Array.from({ length: 48 }, (_, row) => row);
const polls = 60;
const limit = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 50 };
const columns = ['level', 'state', 'octets', 'load'] as const;

/** Counts what is decoded between two breaks. */
class CountedTurns extends SliceTurns {
  pieces = 0;
  breaks = 0;

  constructor() {
    let nowMs = 0;
    super({ now: () => nowMs++, setTimer: (run) => setImmediate(run) });
  }

  override rest(): Promise<void> | undefined {
    this.pieces++;
    const pause = super.rest();
    if (pause !== undefined) this.breaks++;
    return pause;
  }
}

/** An hour of polls of twenty switches. With `sort`, the first half of it is in a file of a tier. */
async function open(isSorted: boolean) {
  let nowMs = startMs;
  const turns = new CountedTurns();
  const store = await HistoryStore.open({
    directory: '/history',
    limits: { polled: limit, five_minutes: limit, hours: limit },
    flushMs: 2 ** 30,
    log: { error: assert.fail, warn: assert.fail } as never,
    files: new MemoryFiles(),
    now: () => nowMs,
    turns,
  });
  /** As long as the keys and labels of a table stay the same, its polls share them. */
  const shared = new Map<string, Batch['rows']>();
  for (let poll = 0; poll < polls; poll++) {
    nowMs = startMs + poll * minuteMs;
    for (const [i, name] of devices.entries()) {
      const timeMs = nowMs + i;
      const values = rows.map((row) => ({
        key: `port ${row}`,
        values: { level: Math.sin(poll + row), state: row, octets: BigInt(poll * row), load: row / 7 },
      }));
      const device = { name, ip: `192.0.2.${i}`, port: 161 };
      const times = { timeMs, slotMs: timeMs, intervalMs: minuteMs };
      const batch = createTestBatch({ device, ...times, rows: values });
      if (!shared.has(name)) shared.set(name, batch.rows);
      store.take([{ ...batch, rows: shared.get(name)! }]);
    }
    if (isSorted && poll === polls / 2) await store.sort();
  }
  turns.pieces = turns.breaks = 0;
  return { store, turns };
}

function question(parts: Partial<HistoryQuestion>): HistoryQuestion {
  const record = 'TEST-MIB::testEntry';
  const span = { fromMs: startMs, toMs: startMs + polls * minuteMs };
  return { devices, record, fields: columns, ...span, aggregate: 'mean', ...parts };
}

const never = new AbortController().signal;

for (const [kind, isSorted] of [
  ['recent polls', false],
  ['recent polls and a sorted file', true],
] as const) {
  describe(`reading the history beside polls: ${kind}`, () => {
    it('refuses an answer that would be too large before a value is decoded', async () => {
      const { store, turns } = await open(isSorted);
      await assert.rejects(
        readHistory(store, question({}), never),
        (error: { code?: string }) => error.code === 'HISTORY_TOO_MANY_VALUES',
      );
      const cells = devices.length * rows.length * polls * columns.length;
      assert.ok(turns.pieces < cells / 25, `${turns.pieces} pieces of work for ${cells} values`);
      await store.close();
    });

    it('takes a break at least after every few rows', async () => {
      const { store, turns } = await open(isSorted);
      const { series } = await readHistory(store, question({ stepMs: 5 * minuteMs }), never);
      assert.equal(series.length, devices.length * rows.length * columns.length);
      // The clock goes on with each look at it: a break comes after five pieces of work, each of which is a part of one row or one column.
      assert.ok(turns.pieces > series.length, `${turns.pieces} pieces`);
      assert.ok(turns.breaks > turns.pieces / 8, `${turns.breaks} breaks in ${turns.pieces} pieces`);
      await store.close();
    });

    it('ends when the client is gone', async () => {
      const { store, turns } = await open(isSorted);
      const gone = new AbortController();
      const asked = readHistory(store, question({ stepMs: 5 * minuteMs }), gone.signal);
      setImmediate(() => gone.abort(new Error('The client is gone.')));
      await assert.rejects(asked, /The client is gone/);
      const { pieces } = turns;
      assert.ok(pieces < 1_000, `${pieces} pieces of work`);
      await new Promise((next) => setTimeout(next, 20));
      assert.equal(turns.pieces, pieces, 'nothing goes on');
      await store.close();
    });

    it('gives the same values while they are sorted into another file', async () => {
      const { store } = await open(isSorted);
      const wanted = question({
        devices: devices.slice(0, 5),
        fields: ['level', 'octets'],
        rows: ['port 7'],
      });
      const expected = await readHistory(store, wanted, never);
      assert.equal(expected.series.length, 10);
      const asked = [1, 2, 3].map(() => readHistory(store, wanted, never));
      const [answers] = await Promise.all([Promise.all(asked), store.sort()]);
      for (const answer of answers) assert.deepEqual(answer, expected);
      await store.close();
    });
  });
}

describe('questions to the history', () => {
  it('are answered four at a time, in their order, and those of clients that are gone never begin', async () => {
    const queue = new QuestionQueue();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const gone = new AbortController();
    const ask = (i: number, signal = never) =>
      queue.run(async () => {
        begun.push(i);
        await new Promise<void>((end) => ends.push(end));
        if (i === 1) throw new Error('failed');
      }, signal);
    const asked = [0, 1, 2, 3, 4].map((i) => ask(i));
    const left = ask(5, gone.signal);
    const last = ask(6);
    assert.deepEqual(begun, [0, 1, 2, 3]);
    gone.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    await assert.rejects(ask(7, gone.signal), /gone/);
    for (const end of ends.splice(0)) end();
    await Promise.allSettled(asked.slice(0, 4));
    assert.deepEqual(begun, [0, 1, 2, 3, 4, 6]);
    for (const end of ends.splice(0)) end();
    await Promise.all([last, asked[4]]);
    const again = ask(8);
    assert.equal(begun.at(-1), 8);
    for (const end of ends.splice(0)) end();
    await again;
  });
});

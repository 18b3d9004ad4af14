import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import type { HistoryAnswer } from '../../../plugins/history/service.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import { MemoryFiles } from '../../storage/support/memory-files.ts';
import { isLong } from '../../support/long-run.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const startMs = Date.UTC(2026, 0, 1);
/** The first 24 hours are merged, the next two sorted, and the last one is as it came. */
const hours = 27;
const directory = '/history';
/** How many places of each file are damaged. */
const places = isLong ? 100 : 3;
const devices = ['router-1', 'router-2'];
const limit = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 50 };
const steps = [undefined, 300_000, hourMs] as const;

async function openStore(files: MemoryFiles, nowMs: () => number) {
  const lines: string[] = [];
  const log = (details: object, message: string) => void lines.push(`${message} ${JSON.stringify(details)}`);
  const store = await HistoryStore.open({
    directory,
    limits: { polled: limit, five_minutes: limit, hours: limit },
    flushMs: 2 ** 30,
    log: { error: log, warn: log } as never,
    files,
    now: nowMs,
  });
  return { store, lines };
}

/** Six polls per hour of two devices. */
async function writeFiles(): Promise<Readonly<Record<string, Buffer>>> {
  const files = new MemoryFiles();
  let nowMs = startMs;
  const { store } = await openStore(files, () => nowMs);
  for (let hour = 0; hour < hours; hour++) {
    if (hour > 0) await store.sort();
    for (let poll = 0; poll < 6; poll++) {
      nowMs = startMs + hour * hourMs + poll * 10 * minuteMs;
      const count = 6 * hour + poll;
      const rows = ['a', 'b', 'c'].map((key, row) => ({
        key,
        values: { level: Math.sin(count + row), state: row, octets: BigInt(count) * 1_000_000n },
      }));
      const times = { timeMs: nowMs, slotMs: nowMs, intervalMs: 10 * minuteMs };
      store.take(
        devices.map((name, i) =>
          createTestBatch({ ...times, device: { name, ip: `192.0.2.${i}`, port: 161 }, rows }),
        ),
      );
    }
  }
  await store.close();
  return Object.fromEntries(files.paths.map((path) => [path, Buffer.from(files.readFile(path))]));
}

/** Every value of every tier: by series, step and time. */
async function readAll(store: HistoryStore): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const stepMs of steps) {
    const answer: HistoryAnswer = await readHistory(
      store,
      {
        devices,
        record: 'TEST-MIB::testEntry',
        fields: ['level', 'state', 'octets'],
        fromMs: startMs,
        toMs: startMs + hours * hourMs,
        stepMs,
        aggregate: 'max',
      },
      new AbortController().signal,
    );
    for (const { device, row, field, values } of answer.series) {
      values.forEach((value, i) => {
        if (value !== null) found.set(`${stepMs} ${device} ${row} ${field} ${answer.times[i]}`, value);
      });
    }
  }
  return found;
}

function listPolled(found: ReadonlyMap<string, number>): string[] {
  const polled = [...found].filter(([key]) => key.startsWith('undefined '));
  return polled.map(([key, value]) => `${key} ${value}`).sort();
}

/** What one file of each kind has. */
const kinds = {
  polled: /\/polled-000000005-/,
  'five minutes, not merged': /\/five_minutes-000000025-000000025-/,
  'five minutes, merged': /\/five_minutes-000000001-000000024-/,
  hours: /\/hours-/,
  recent: /\/recent-000000027$/,
  'recent, already sorted': /\/recent-000000026$/,
};

describe('a damaged file of the history', () => {
  let files: Readonly<Record<string, Buffer>>;
  let intact: ReadonlyMap<string, number>;
  const nowMs = startMs + (hours - 1) * hourMs + 59 * minuteMs;

  async function setUp(): Promise<void> {
    files ??= await writeFiles();
    intact ??= await open(files, (store) => readAll(store));
  }

  async function open<Result>(
    content: Readonly<Record<string, Buffer>>,
    work: (store: HistoryStore, lines: readonly string[]) => Promise<Result>,
  ): Promise<Result> {
    const copies = Object.entries(content).map(([path, bytes]) => [path, Buffer.from(bytes)]);
    const { store, lines } = await openStore(new MemoryFiles(Object.fromEntries(copies)), () => nowMs);
    try {
      return await work(store, lines);
    } finally {
      await store.close();
    }
  }

  /** Only values of the file may be missing, none may be another one, and if one is missing, the file is named once. */
  async function check(path: string, bytes: Buffer, where: string): Promise<boolean> {
    return open({ ...files, [path]: bytes }, async (store, lines) => {
      const [fromMs, toMs] = timesOf(path);
      const found = await readAll(store);
      const lost = [...intact.keys()].filter((key) => !found.has(key));
      for (const [key, value] of found) {
        // An hour of which a poll is missing has another maximum.
        if (!key.startsWith(`${hourMs} `) || !path.includes('/recent-'))
          assert.equal(value, intact.get(key), `${where}: ${key}`);
      }
      for (const key of lost) {
        const timeMs = Number(key.slice(key.lastIndexOf(' ')));
        assert.ok(timeMs >= Math.floor(fromMs / hourMs) * hourMs && timeMs <= toMs, `${where}: ${key}`);
      }
      await store.sort();
      // In longer tiers, sorting rounds numbers and leaves the readings of counters out.
      assert.deepEqual(listPolled(await readAll(store)), listPolled(found), `${where}: sorted`);
      const named = store.damagedFiles;
      assert.ok(named.length === 0 || (named.length === 1 && named[0] === path), `${where}: ${named}`);
      assert.equal(lines.length, named.length, `${where}: ${lines}`);
      if (lost.length > 0) assert.deepEqual(named, [path], where);
      return named.length > 0;
    });
  }

  function timesOf(path: string): readonly [fromMs: number, toMs: number] {
    if (path.includes('recent-')) return [startMs + (hours - 1) * hourMs, Number.POSITIVE_INFINITY];
    const [, from, to] = /-(\d+)-(\d+)\.blocks$/.exec(path)!;
    return [Number(from), Number(to)];
  }

  for (const [kind, pattern] of Object.entries(kinds)) {
    it(`costs what is in it and is named: ${kind}`, async () => {
      await setUp();
      const path = Object.keys(files).find((each) => pattern.test(each));
      assert.ok(path !== undefined, Object.keys(files).join());
      const bytes = files[path]!;
      let named = 0;
      for (let i = 0; i < places; i++) {
        const at = Math.floor((i * bytes.length) / places);
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1 << (at % 8);
        if (await check(path, flipped, `bit flipped at ${at}`)) named++;
        await check(path, bytes.subarray(0, at), `cut at ${at}`);
      }
      assert.ok(named > places / 2, `${named} of ${places}`);
    });
  }

  it('that was cut loses only what is missing, wherever that is', async () => {
    const content = new MemoryFiles();
    let now = startMs;
    const { store } = await openStore(content, () => now);
    const count = 40;
    const names = Array.from({ length: count }, (_, i) => `d${i}`);
    for (let poll = 0; poll < 10; poll++) {
      const batch = (name: string) =>
        createTestBatch({ device: { name, ip: '192.0.2.1', port: 161 }, timeMs: startMs + poll });
      store.take(names.map(batch));
    }
    const recent = Buffer.concat(await flushed(store, content, '/recent-'));
    now += hourMs;
    await store.sort();
    await store.close();
    const path = content.paths.find((each) => each.includes('/polled-'))!;
    const polled = content.readFile(path);
    const recentPath = `${directory}/recent-000000001`;
    for (const [name, bytes] of [
      [path, polled],
      [recentPath, recent],
    ] as const) {
      const intactValues = await countValues({ [name]: bytes }, names, now);
      assert.ok(intactValues.found > 0);
      assert.deepEqual(intactValues.damaged, [], name);
      for (let i = 1; i < places * 10; i++) {
        const at = Math.floor((i * bytes.length) / (places * 10));
        const { found, damaged } = await countValues({ [name]: bytes.subarray(0, at) }, names, now);
        const share = found / intactValues.found;
        // All parts of the file are about as large; its index is a tenth of it at most.
        const least = at / bytes.length - 3 / count - 0.1;
        assert.ok(share >= least, `${name} cut at ${at} of ${bytes.length}: ${share}`);
        assert.deepEqual(damaged, [name], `cut at ${at} of ${bytes.length}`);
      }
    }
  });

  async function flushed(store: HistoryStore, content: MemoryFiles, part: string): Promise<Buffer[]> {
    store.flush();
    return content.paths
      .filter((path) => path.includes(part))
      .map((path) => Buffer.from(content.readFile(path)));
  }

  async function countValues(content: Record<string, Buffer>, names: readonly string[], now: number) {
    const copies = Object.entries(content).map(([path, bytes]) => [path, Buffer.from(bytes)]);
    const { store } = await openStore(new MemoryFiles(Object.fromEntries(copies)), () => now);
    const question = { devices: names, record: 'TEST-MIB::testEntry', aggregate: 'mean' } as const;
    const span = { fromMs: startMs, toMs: now };
    const { series } = await readHistory(store, { ...question, ...span }, new AbortController().signal);
    const found = series.flatMap(({ values }) => values).filter((value) => value !== null).length;
    await store.close();
    return { found, damaged: store.damagedFiles };
  }

  it('is named even if only a hash in an index of thousands of records is another one', async () => {
    const content = new MemoryFiles();
    let now = startMs;
    const { store } = await openStore(content, () => now);
    const count = 4_200;
    for (let i = 0; i < count; i++) {
      store.take([
        createTestBatch({ device: { name: `d${i}`, ip: '192.0.2.1', port: 161 }, timeMs: startMs }),
      ]);
    }
    now += hourMs;
    await store.sort();
    await store.close();
    const path = content.paths.find((each) => each.includes('/polled-'))!;
    const bytes = content.readFile(path);
    // The entries are at the end, before the 50 bytes that say where they begin.
    const entry = bytes.length - 50 - 16 * count + 16 * 7;
    bytes[entry]! ^= 1;
    const { store: again, lines } = await openStore(content, () => now);
    const question = { devices: ['d1'], record: 'TEST-MIB::testEntry', aggregate: 'mean' } as const;
    await readHistory(again, { ...question, fromMs: startMs, toMs: now }, new AbortController().signal);
    assert.deepEqual(again.damagedFiles, [path], lines.join());
    await again.close();
  });
});

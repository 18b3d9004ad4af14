import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryStore } from '../../plugins/history/history-store.ts';
import { readHistory } from '../../plugins/history/reading/read-history.ts';
import type { HistoryQuestion } from '../../plugins/history/service.ts';
import { type Batch, BatchEncoder } from '../../src/index.ts';
import { openQueue } from '../queue/open-queue.ts';
import { measureScript } from '../support/processes.ts';
import { SwitchFleet } from './fleet-batches.ts';
import type { FleetIntake } from './fleet-child.ts';
import { openStore } from './open-store.ts';

/** The cost of the history beside that of a disk queue and the binary form of batches, one JSON line per result. */
const folder = await mkdtemp(join(tmpdir(), 'waywiser-bench-'));
const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The volume to be taken. */
const valuesPerSecond = 19e6 / 60;
/** The first answers of a process take three times as long, until Node has compiled the code that reads. */
const rounds = 61;

function print(figure: string, value: number, unit: string, atMost?: number): void {
  const reached = atMost === undefined ? {} : { goal: { atMost }, reached: value <= atMost };
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit, ...reached }));
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const valuesOf = (batches: readonly Batch[]) =>
  batches.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0);

/** An hour of 100 switches: in, sorted, and the same batches in the binary form and a disk queue. */
async function measureIntake(kind: 'idle' | 'busy', maxBytes: number): Promise<void> {
  let nowMs = startMs;
  const store = await openStore(join(folder, kind), () => nowMs);
  const queue = await openQueue(join(folder, `${kind}-queue`));
  const encoder = new BatchEncoder();
  const fleet = new SwitchFleet(100, kind);
  let [values, taking, queueing, encoding, encoded] = [0, 0, 0, 0, 0];
  const timed = (work: () => void): number => {
    const begun = cpuSeconds();
    work();
    return cpuSeconds() - begun;
  };
  for (let minute = 0; minute < 60; minute++) {
    nowMs = startMs + minute * minuteMs;
    const batches = [...fleet.poll(nowMs)];
    values += valuesOf(batches);
    taking += timed(() => store.take(batches));
    encoding += timed(() => {
      for (const batch of batches) encoded += encoder.encode(batch).length;
    });
    queueing += timed(() => {
      for (const batch of batches) queue.put(batch);
    });
  }
  const begun = cpuSeconds();
  await store.sort();
  const sorting = cpuSeconds() - begun;
  print(`history, ${kind} interfaces, taken`, values / taking, 'values/CPU s');
  print(`history, ${kind} interfaces, sorted`, values / sorting, 'values/CPU s');
  print(`batch form, ${kind} interfaces, written`, values / encoding, 'values/CPU s');
  print(`disk queue, ${kind} interfaces, in`, values / queueing, 'values/CPU s');
  const cores = (valuesPerSecond * (taking + sorting)) / values;
  print(`history, ${kind} interfaces, 19 million values per minute`, cores, 'cores', 0.15);
  const stored = store.tier('polled').bytes - store.recentFiles()[0]!.bytes;
  const own = store.entries('polled').reduce((sum, { bytes }) => sum + bytes, 0);
  print(`history, ${kind} interfaces, as polled`, own / values, 'bytes per value', maxBytes);
  print(`history, ${kind} interfaces, before it is sorted`, (stored - own) / values, 'bytes per value');
  const spans = store.entries('five_minutes').reduce((sum, { bytes }) => sum + bytes, 0);
  print(`history, ${kind} interfaces, five minutes`, spans / values, 'bytes per polled value');
  print(`batch form, ${kind} interfaces`, encoded / values, 'bytes per value');
  await store.close();
  await queue.close();
}

/** A day of 20 switches. The median of several answers. */
async function measureAnswers(): Promise<void> {
  let nowMs = startMs;
  const store = await openStore(join(folder, 'day'), () => nowMs);
  const fleet = new SwitchFleet(20, 'busy');
  for (let minute = 0; minute < 24 * 60; minute++) {
    nowMs = startMs + minute * minuteMs;
    store.take([...fleet.poll(nowMs)]);
    if (minute % 60 === 59 && minute < 23 * 60) await store.sort();
  }
  const toMs = startMs + 24 * hourMs;
  const one = {
    devices: ['access-7.example.net'],
    rows: ['GigabitEthernet1/0/5'],
    fields: ['netif.bytes.in_rate'],
  };
  await answer(store, 'one series over a day, as polled', { ...one, fromMs: startMs, toMs }, 10);
  await answer(
    store,
    'one series over a day, every 5 minutes',
    { ...one, fromMs: startMs, toMs, stepMs: 300_000 },
    10,
  );
  const many = {
    devices: Array.from({ length: 20 }, (_, i) => `access-${i}.example.net`),
    rows: Array.from({ length: 10 }, (_, i) => `GigabitEthernet1/0/${4 * i + 1}`),
    fields: ['netif.bytes.in_rate'],
  };
  const sorted = { ...many, fromMs: toMs - 4 * hourMs, toMs: toMs - 3 * hourMs };
  await answer(store, '200 series over an hour', sorted, 150);
  await answer(
    store,
    '200 series over the last hour, before it is sorted',
    { ...many, fromMs: toMs - hourMs, toMs },
    150,
  );
  await store.close();
}

async function answer(
  store: HistoryStore,
  figure: string,
  question: Omit<HistoryQuestion, 'record' | 'aggregate'>,
  atMost: number,
): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begunMs = performance.now();
    const asked = { ...question, record: 'IF-MIB::ifEntry', aggregate: 'mean' } as const;
    const { series } = await readHistory(store, asked, new AbortController().signal);
    if (series.length === 0) throw new Error('The answer is empty.');
    times.push(performance.now() - begunMs);
  }
  print(`history, ${figure}`, times.sort((a, b) => a - b)[rounds >> 1]!, 'ms', atMost);
}

/** 200 files of 100 MiB, of which nothing is on the disk but their names and lengths, and 64 MiB of recent polls. */
async function measureStart(): Promise<void> {
  const directory = join(folder, 'large');
  mkdirSync(directory);
  for (let i = 1; i <= 200; i++) {
    const fromMs = startMs - (300 - i) * hourMs;
    const number = String(i).padStart(9, '0');
    const file = openSync(
      join(directory, `polled-${number}-${number}-${fromMs}-${fromMs + hourMs - 1}.blocks`),
      'w',
    );
    ftruncateSync(file, 100 * 2 ** 20);
    closeSync(file);
  }
  const filling = await openStore(directory, () => startMs);
  const fleet = new SwitchFleet(500, 'busy');
  const batches = [...fleet.poll(startMs)];
  for (let i = 0; filling.recentFiles()[0]!.bytes < 64 * 2 ** 20; i++) {
    filling.take(batches.map((batch) => ({ ...batch, timeMs: startMs + i })));
  }
  await filling.close();
  const begunMs = performance.now();
  const store = await openStore(directory, () => startMs);
  print('history, ready with 20 GiB', performance.now() - begunMs, 'ms', 2_000);
  await store.close();
}

try {
  await measureIntake('idle', 1.2);
  await measureIntake('busy', 3);
  await measureAnswers();
  await measureStart();
  const intake = await measureScript<FleetIntake>('history/fleet-child.ts', join(folder, 'fleet'));
  const cores = (valuesPerSecond * intake.cpuSeconds) / intake.values;
  print('history, 13,200 switches, 19 million values per minute', cores, 'cores', 0.15);
  print('history, 13,200 switches, memory', intake.grownMib, 'MiB', 200);
} finally {
  await rm(folder, { recursive: true, force: true });
}

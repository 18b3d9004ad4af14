import { argv } from 'node:process';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

/** usage: history-child DIRECTORY FIRST. Takes a batch whose value is its number, from FIRST on, flushes after each, and prints the number. */
const [directory, first] = argv.slice(2) as [string, string];
const limit = { maxBytes: 2 ** 30, maxAgeMs: 2 ** 50 };
let number = Number(first);
const store = await HistoryStore.open({
  directory,
  limits: { polled: limit, five_minutes: limit, hours: limit },
  flushMs: 2 ** 30,
  log: { error: console.error, warn: console.error } as never,
  now: () => number * 60_000,
  // Small, so that files are sorted and merged all the time.
  maxRecentBytes: 2_000,
});
for (;;) {
  const timeMs = number * 60_000;
  const rows = [0, 1, 2].map((row) => ({ key: `${row}`, values: { value: number } }));
  store.take([createTestBatch({ timeMs, slotMs: timeMs, intervalMs: 60_000, rows })]);
  if (!store.flush()) throw new Error('The flush failed.');
  process.stdout.write(`${number}\n`);
  number++;
  await new Promise((next) => setImmediate(next));
}

import { argv, memoryUsage } from 'node:process';
import type { Batch } from '../../src/index.ts';
import { SwitchFleet } from './fleet-batches.ts';
import { openStore } from './open-store.ts';

export interface FleetIntake {
  readonly values: number;
  readonly cpuSeconds: number;
  readonly grownMib: number;
}

/** usage: fleet-child DIRECTORY. Takes six minutes of 13,200 switches with 1,440 values per minute each, and sorts them. */
const devices = 13_200;
const startMs = Date.UTC(2026, 0, 1);
let nowMs = startMs;
const store = await openStore(argv[2]!, () => nowMs);
// One hundred switches stand for all, so that the memory of the bench itself is small.
const fleet = new SwitchFleet(100, 'busy');
const rows = Array.from({ length: devices }, (_, i) => ({
  name: `switch-${i}`,
  ip: `10.0.0.${i & 255}`,
  port: 161,
}));
let polls: readonly Batch[] = [...fleet.poll(nowMs)];
const before = memoryUsage.rss();
let peak = before;
const begun = process.cpuUsage();
for (let minute = 0; minute < 6; minute++) {
  nowMs = startMs + minute * 60_000;
  for (const [i, device] of rows.entries()) {
    store.take([{ ...polls[i % 100]!, device, timeMs: nowMs + i }]);
    if (i % 500 === 0) peak = Math.max(peak, memoryUsage.rss());
  }
  polls = [...fleet.poll(nowMs + 60_000)];
}
const timer = setInterval(() => {
  peak = Math.max(peak, memoryUsage.rss());
}, 50);
await store.sort();
clearInterval(timer);
const { user, system } = process.cpuUsage(begun);
const intake: FleetIntake = {
  values: store.values,
  cpuSeconds: (user + system) / 1e6,
  grownMib: (peak - before) / 2 ** 20,
};
console.log(JSON.stringify(intake));
await store.close();

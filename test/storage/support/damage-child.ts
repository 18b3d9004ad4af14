import { argv, cpuUsage, stdout } from 'node:process';
import { DamageSeries, writeMebibyte } from './damage-series.ts';

/**
 * Checks every `step`th cut and flip of a mebibyte, from offset `first` on, and prints how many there were. It is a separate process because
 * the test runner tracks every promise, which takes longer than the checks.
 */
const [first = 0, step = 1] = argv.slice(2).map(Number);
const segment = await writeMebibyte();
const series = new DamageSeries(segment);
let [cuts, flips] = [0, 0];
for (let at = first; at <= segment.bytes.length; at += step) {
  await series.checkCut(at);
  cuts++;
  if (at === segment.bytes.length) break;
  await series.checkFlip(at);
  flips++;
}
const { user, system } = cpuUsage();
stdout.write(JSON.stringify({ cuts, flips, cpuSeconds: Math.round((user + system) / 1e6) }));

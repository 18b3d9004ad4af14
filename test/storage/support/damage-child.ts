import { argv, cpuUsage, stdout } from 'node:process';
import { DamageSeries, writeMebibyte } from './damage-series.ts';

/**
 * Checks each `step`th cut and flip of a mebibyte, from the `first` offset on, and says how many those were. A process of its own,
 * because the test runner watches every promise, which takes longer than what is tested.
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

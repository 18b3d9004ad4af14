import { argv } from 'node:process';
import { fuzz } from './fuzz.ts';

/** usage: fuzz-long [PACKETS=1000000] [SEED]. Needs --expose-gc. */
const packets = Number(argv[2] ?? 1_000_000);
const seed = Number(argv[3] ?? Date.now() % 2 ** 31);
const collect = globalThis.gc;
if (collect === undefined) throw new Error('Start it with --expose-gc, as npm run fuzz does.');
fuzz(10_000, seed);
collect();
const before = process.memoryUsage().heapUsed;
const result = fuzz(packets, seed);
collect();
const heapGrowthMiB = Math.round((process.memoryUsage().heapUsed - before) / 2 ** 20);
const isGood = result.slowestMs <= 5 && heapGrowthMiB <= 20;
console.log(JSON.stringify({ ...result, seed, heapGrowthMiB, isGood }));
process.exitCode = isGood ? 0 : 1;

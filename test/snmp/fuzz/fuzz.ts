import { cpuUsage } from 'node:process';
import { seededRandom } from '../../../src/testing/index.ts';
import { createSeeds } from './decoder-entries.ts';
import { mutate } from './mutator.ts';

export interface FuzzResult {
  readonly packets: number;
  readonly slowestMs: number;
  readonly slowest: string;
}

/** Throws when a decoder throws, with the packet that caused it. */
export function fuzz(packets: number, seed: number, seeds = createSeeds()): FuzzResult {
  const random = seededRandom(seed);
  let slowestMs = 0;
  let slowest = '';
  for (let i = 0; i < packets; i++) {
    const { name, octets, decode } = seeds[i % seeds.length]!;
    const mutated = mutate(octets, random);
    const tookMs = timeOf(() => decode(Buffer.from(mutated)), `${name}: ${mutated.toString('hex')}`);
    if (tookMs <= slowestMs) continue;
    // The machine may have paused: the packet is slow only if it takes the processor that long every time.
    const fairMs = Math.min(tookMs, ...[1, 2, 3].map(() => cpuTimeOf(() => decode(Buffer.from(mutated)))));
    if (fairMs > slowestMs) [slowestMs, slowest] = [fairMs, name];
  }
  return { packets, slowestMs, slowest };
}

function timeOf(work: () => void, what: string): number {
  const started = performance.now();
  try {
    work();
  } catch (error) {
    throw new Error(`A decoder threw at ${what}`, { cause: error });
  }
  return performance.now() - started;
}

function cpuTimeOf(work: () => void): number {
  const before = cpuUsage();
  work();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1000;
}

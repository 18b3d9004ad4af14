import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { isLong } from '../support/long-run.ts';
import { modulePath, nodeOptions } from '../support/own-module.ts';
import { DamageSeries, writeMebibyte } from './support/damage-series.ts';

const childPath = modulePath(new URL('./support/damage-child.ts', import.meta.url));
const mebibyte = 1 << 20;

/** Checks half of all offsets, in one of two processes. */
async function checkEvery(first: 0 | 1): Promise<Record<string, number>> {
  const args = [...nodeOptions, childPath, String(first), '2'];
  const { stdout } = await promisify(execFile)(execPath, args);
  return JSON.parse(stdout);
}

describe('a segment of a mebibyte, damaged at one place', () => {
  it('is opened, returns the intact records and counts the loss exactly, at some places', async () => {
    const segment = await writeMebibyte();
    const series = new DamageSeries(segment);
    const places = new Set(Array.from({ length: 1_000 }, (_, i) => i * 997));
    for (let at = 0; at <= 256; at++) places.add(at);
    for (const end of segment.ends) {
      for (const by of [-1, 0, 3, 8, 24, 28, 32]) places.add(end + by);
    }
    for (const at of [...places].filter((place) => place >= 0 && place < mebibyte)) {
      await series.checkCut(at);
      await series.checkFlip(at);
    }
  });

  it('is opened, returns the intact records and counts the loss exactly, at every place', {
    skip: !isLong,
  }, async (t) => {
    const halves = await Promise.all([checkEvery(0), checkEvery(1)]);
    t.diagnostic(JSON.stringify(halves));
    const sum = (key: string) => halves.reduce((total, half) => total + half[key]!, 0);
    assert.deepEqual([sum('cuts'), sum('flips')], [mebibyte + 1, mebibyte]);
  });
});

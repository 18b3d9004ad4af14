import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSeeds } from './decoder-entries.ts';
import { fuzz } from './fuzz.ts';

describe('fuzzing', () => {
  it('starts from messages that decode', () => {
    for (const { octets, decode } of createSeeds()) decode(Buffer.from(octets));
  });

  it('rule 1.7: nothing escapes a decoder, and none is slow', () => {
    const { slowestMs, slowest } = fuzz(20_000, 1);
    assert.ok(slowestMs <= 5, `${slowest} took ${slowestMs} ms`);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSeeds } from './decoder-entries.ts';
import { fuzz } from './fuzz.ts';

describe('fuzzing', () => {
  it('starts from messages that can be decoded', () => {
    for (const { octets, decode } of createSeeds()) decode(Buffer.from(octets));
  });

  it('makes no decoder throw', () => {
    assert.equal(fuzz(20_000, 1).packets, 20_000);
  });
});

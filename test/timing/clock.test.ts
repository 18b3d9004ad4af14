import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WallTime } from '../../src/timing/clock.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

describe('WallTime', () => {
  it('gives the wall-clock time of a moment of the monotonic clock', () => {
    const clock = new SimulatedClock();
    const wallTime = new WallTime(clock);
    assert.equal(wallTime.at(clock.now()), clock.wallNow());
    assert.equal(wallTime.at(clock.now() - 250), clock.wallNow() - 250);
  });

  it('ignores slow corrections of the wall clock and follows it when it is set', () => {
    const clock = new SimulatedClock();
    const wallTime = new WallTime(clock);
    const before = wallTime.at(5_000);
    clock.step(19);
    assert.equal(wallTime.at(5_000), before);
    clock.step(3_600_000);
    assert.equal(wallTime.at(5_000), before + 3_600_019);
  });
});

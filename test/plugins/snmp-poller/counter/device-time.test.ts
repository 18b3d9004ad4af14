import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { elapsedBetween } from '../../../../plugins/snmp-poller/counter/device-time.ts';

const at = (localSeconds: number, upTicks: number | undefined, boots?: number) => ({
  localMs: 1000 * localSeconds,
  upTicks,
  boots,
});

describe('the time between two polls', () => {
  it('is the device’s own', () => {
    assert.deepEqual(elapsedBetween(at(0, 1000), at(61.3, 7000)), { seconds: 60, isRestart: false });
  });

  it('goes on when sysUpTime wraps after 497 days', () => {
    const interval = fc.record({
      before: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      seconds: fc.integer({ min: 1, max: 86_400 }),
    });
    fc.assert(
      fc.property(interval, ({ before, seconds }) => {
        const now = (before + 100 * seconds) % 2 ** 32;
        assert.deepEqual(elapsedBetween(at(0, before), at(seconds, now)), { seconds, isRestart: false });
      }),
    );
  });

  it('holds a restart when sysUpTime went back', () => {
    assert.deepEqual(elapsedBetween(at(0, 500_000), at(60, 2_000)), { seconds: 60, isRestart: true });
  });

  it('holds a restart when the device has not been up for as long as we waited', () => {
    assert.equal(elapsedBetween(at(0, 1_000), at(3600, 120_000)).isRestart, true);
  });

  it('holds a restart when the engine has booted, whatever sysUpTime says', () => {
    assert.equal(elapsedBetween(at(0, 1_000, 4), at(60, 7_000, 5)).isRestart, true);
  });

  it('is ours where the device does not tell, or its clock runs ahead', () => {
    assert.deepEqual(elapsedBetween(at(0, undefined), at(60, 7_000)), { seconds: 60, isRestart: false });
    assert.deepEqual(elapsedBetween(at(0, 0), at(60, 600_000)), { seconds: 60, isRestart: false });
  });
});

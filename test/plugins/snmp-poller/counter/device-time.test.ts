import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { elapsedBetween, startedMsOf } from '../../../../plugins/snmp-poller/counter/device-time.ts';

const at = (localSeconds: number, upTicks: number | undefined, boots?: number) => ({
  localMs: 1000 * localSeconds,
  upTicks,
  boots,
});

describe('the time between two polls', () => {
  it('is measured by the device’s own clock', () => {
    assert.deepEqual(elapsedBetween(at(0, 1000), at(61.3, 7000)), { ms: 60_000, isRestart: false });
  });

  it('continues when sysUpTime wraps after 497 days', () => {
    const interval = fc.record({
      before: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      seconds: fc.integer({ min: 1, max: 86_400 }),
    });
    fc.assert(
      fc.property(interval, ({ before, seconds }) => {
        const now = (before + 100 * seconds) % 2 ** 32;
        assert.deepEqual(elapsedBetween(at(0, before), at(seconds, now)), {
          ms: 1000 * seconds,
          isRestart: false,
        });
      }),
    );
  });

  it('includes a restart when sysUpTime decreased', () => {
    assert.deepEqual(elapsedBetween(at(0, 500_000), at(60, 2_000)), { ms: 60_000, isRestart: true });
  });

  it('includes a restart when sysUpTime is shorter than the time between the polls', () => {
    assert.equal(elapsedBetween(at(0, 1_000), at(3600, 120_000)).isRestart, true);
  });

  it('includes a restart when the engine has booted, whatever sysUpTime is', () => {
    assert.equal(elapsedBetween(at(0, 1_000, 4), at(60, 7_000, 5)).isRestart, true);
  });

  it('is measured by Waywiser’s clock when the device has no clock, or its clock runs ahead', () => {
    assert.deepEqual(elapsedBetween(at(0, undefined), at(60, 7_000)), { ms: 60_000, isRestart: false });
    assert.deepEqual(elapsedBetween(at(0, 0), at(60, 600_000)), { ms: 60_000, isRestart: false });
  });
});

describe('the time since the poll of another collector', () => {
  const inherited = (localSeconds: number, upTicks: number | undefined, boots?: number) => ({
    ...at(localSeconds, upTicks, boots),
    isInherited: true,
  });
  const unknown = { ms: 0, isRestart: false };

  it('is measured by the device’s own clock, also when the hand-over took seconds', () => {
    assert.deepEqual(elapsedBetween(inherited(0, 1_000), at(55, 7_000)), { ms: 60_000, isRestart: false });
  });

  it('is unknown without a clock of the device, or when that clock ran on during a longer gap', () => {
    assert.deepEqual(elapsedBetween(inherited(0, undefined), at(60, 7_000)), unknown);
    assert.deepEqual(elapsedBetween(inherited(0, 1_000), at(60, undefined)), unknown);
    assert.deepEqual(elapsedBetween(inherited(0, 1_000), at(60, 1_000 + 60_000)), unknown);
  });

  it('includes a restart that the device’s clock or its boots show', () => {
    assert.equal(elapsedBetween(inherited(0, 500_000), at(60, 2_000)).isRestart, true);
    assert.equal(elapsedBetween(inherited(0, 1_000, 4), at(60, 7_000, 5)).isRestart, true);
  });
});

describe('the start time of an agent', () => {
  const minuteMs = 60_000;
  const wallMs = 1_700_000_000_000;

  it('is the time of the reading minus sysUpTime', () => {
    assert.equal(startedMsOf(100, wallMs, undefined), wallMs - 1_000);
    assert.equal(startedMsOf(0, wallMs + 0.4, undefined), wallMs);
  });

  it('stays the same while the clocks of the device and of Waywiser drift', () => {
    const started = startedMsOf(100, wallMs, undefined);
    assert.equal(startedMsOf(6_190, wallMs + minuteMs, started), started);
    assert.equal(startedMsOf(6_590, wallMs + minuteMs, started), started);
  });

  it('is a new one after a restart, and after the wall clock was set', () => {
    const started = startedMsOf(100, wallMs, undefined);
    assert.equal(startedMsOf(500, wallMs + 2 * minuteMs, started), wallMs + 2 * minuteMs - 5_000);
    assert.equal(startedMsOf(6_100, wallMs + 61 * minuteMs, started), started + 60 * minuteMs);
  });

  it('stays the same when sysUpTime wraps after 497 days', () => {
    const started = startedMsOf(100, wallMs, undefined);
    const wrapMs = 2 ** 32 * 10;
    assert.equal(startedMsOf(6_100, wallMs + wrapMs + minuteMs, started), started);
  });
});

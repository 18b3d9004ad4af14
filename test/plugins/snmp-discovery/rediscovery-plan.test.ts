import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cron } from 'croner';
import type { Device } from '../../../plugins/device-registry/service.ts';
import { atTimes, everyHours } from '../../../plugins/snmp-discovery/rediscovery-plan.ts';
import type { Inventory } from '../../../src/index.ts';

const hourMs = 3_600_000;
const discoveredMs = Date.UTC(2026, 0, 1, 12);

describe('the schedule of discoveries', () => {
  it('is due in the last tenth of the hours, spread over the devices', () => {
    const schedule = everyHours(10);
    const dueAfter = (hours: number) =>
      devices.filter((device) => schedule.isDue(device, inventory, discoveredMs + hours * hourMs)).length;
    assert.equal(dueAfter(8.99), 0);
    assert.ok(dueAfter(9.5) > 400 && dueAfter(9.5) < 600);
    assert.equal(dueAfter(10), devices.length);
  });

  it('is due in the hour after a cron time, spread over the devices', () => {
    const schedule = atTimes('0 3 * * *');
    const three = new Date(discoveredMs);
    three.setHours(3, 0, 0, 0);
    if (three.getTime() <= discoveredMs) three.setDate(three.getDate() + 1);
    const dueAt = (minutes: number) =>
      devices.filter((device) => schedule.isDue(device, inventory, three.getTime() + minutes * 60_000))
        .length;
    assert.equal(dueAt(-1), 0);
    assert.ok(dueAt(30) > 400 && dueAt(30) < 600);
    assert.equal(dueAt(60), devices.length);
  });

  it('is due once per cron time when the times are close together', () => {
    const schedule = atTimes('*/10 * * * *');
    for (const device of devices) {
      let last = discoveredMs;
      let runs = 0;
      for (let nowMs = discoveredMs; nowMs <= discoveredMs + 2 * hourMs; nowMs += 60_000) {
        if (!schedule.isDue(device, { discoveredMs: last }, nowMs)) continue;
        last = nowMs;
        runs++;
      }
      assert.ok(runs >= 11 && runs <= 13, `${runs} discoveries in two hours`);
    }
  });

  it('is due for an inventory that is dated far in the future', () => {
    const ahead = { discoveredMs: discoveredMs + 9_000 * hourMs };
    for (const schedule of [everyHours(24), atTimes('0 3 * * *')])
      assert.ok(schedule.isDue(devices[0]!, ahead, discoveredMs));
  });

  it('computes few times of the cron expression for 100,000 devices, whenever they were discovered', (t) => {
    const nextRun = t.mock.method(Cron.prototype, 'nextRun');
    for (const schedule of [everyHours(24), atTimes('0 3 * * *')]) {
      for (const direction of [1, -1]) {
        nextRun.mock.resetCalls();
        for (let i = 0; i < 100_000; i++) {
          const ageMs = direction > 0 ? i * 500 : 60 * hourMs * (1 - i / 100_000);
          schedule.isDue(devices[i % 1000]!, { discoveredMs: discoveredMs - ageMs }, discoveredMs);
        }
        const computed = nextRun.mock.callCount();
        assert.ok(computed <= 1_000, `${computed} times were computed`);
      }
    }
  });

  it('rejects an invalid cron expression', () => {
    assert.throws(() => atTimes('every day at noon'));
  });
});

const inventory: Inventory = {
  version: 1,
  discoveredMs,
  generation: 1,
  sysObjectId: undefined,
  sysUpTime: undefined,
  address: '192.0.2.1',
  credential: 0,
  deviceGroups: [],
  objects: new Map(),
};

const devices: readonly Device[] = Array.from({ length: 1000 }, (_, i) => ({
  ref: { name: `d${i}`, ip: '192.0.2.1', port: i + 1 },
  settings: { ip: '192.0.2.1' },
  settingOrigins: {},
  origin: { file: '', line: 0 },
  source: 'files',
  status: { state: 'up', sinceMs: 0, why: '', silences: 0 },
}));

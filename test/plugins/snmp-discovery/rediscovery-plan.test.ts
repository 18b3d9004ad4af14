import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Device } from '../../../plugins/device-registry/service.ts';
import { atTimes, everyHours } from '../../../plugins/snmp-discovery/rediscovery-plan.ts';
import type { Inventory } from '../../../src/index.ts';

const hourMs = 3_600_000;
const discoveredMs = Date.UTC(2026, 0, 1, 12);

describe('the schedule of rediscoveries', () => {
  it('is due between nine tenths and all of the hours, spread over devices', () => {
    const schedule = everyHours(10);
    const dueAfter = (hours: number) =>
      devices.filter((device) => schedule.isDue(device, inventory, discoveredMs + hours * hourMs)).length;
    assert.equal(dueAfter(8.99), 0);
    assert.ok(dueAfter(9.5) > 400 && dueAfter(9.5) < 600);
    assert.equal(dueAfter(10), devices.length);
  });

  it('is due in the hour after a time of a cron expression, spread over devices', () => {
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

  it('is due once a time where the times follow each other closely', () => {
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

  it('does not wait for years after a clock that was ahead', () => {
    const ahead = { discoveredMs: discoveredMs + 9_000 * hourMs };
    for (const schedule of [everyHours(24), atTimes('0 3 * * *')])
      assert.ok(schedule.isDue(devices[0]!, ahead, discoveredMs));
  });

  it('costs nothing to ask for 100,000 devices, whenever they were discovered', () => {
    for (const schedule of [everyHours(24), atTimes('0 3 * * *')]) {
      for (const direction of [1, -1]) {
        const begun = process.cpuUsage();
        for (let i = 0; i < 100_000; i++) {
          const ageMs = direction > 0 ? i * 500 : 60 * hourMs * (1 - i / 100_000);
          schedule.isDue(devices[i % 1000]!, { discoveredMs: discoveredMs - ageMs }, discoveredMs);
        }
        const { user, system } = process.cpuUsage(begun);
        assert.ok(user + system < 600_000, `${(user + system) / 1000} ms`);
      }
    }
  });

  it('refuses what is no cron expression', () => {
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

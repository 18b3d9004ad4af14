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

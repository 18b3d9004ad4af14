import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowsOf } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

describe('a poll', () => {
  it('makes one record per object, merges augmenting objects, and separates labels from values', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([
      { name: 'sw', port: agent.port, groups: 'device_groups: [switch], tags: { site: north }' },
    ]);
    const { poll, discovered } = await startPolling(t, folder);
    await discovered();
    const batches = await poll('sw');
    assert.deepEqual(
      batches.map(({ record, plan, device, tags, generation }) => [
        record,
        plan,
        device.name,
        tags,
        generation,
      ]),
      ['IF-MIB::ifEntry', 'SNMPv2-MIB::system'].map((record) => [
        record,
        'every-60s',
        'sw',
        { site: 'north' },
        1,
      ]),
    );
    const [interfaces, system] = batches.map((batch) => [...rowsOf(batch)]);
    assert.deepEqual(interfaces![2], {
      key: 'netif.name=ge-0/3',
      labels: {
        'netif.index': '3',
        'netif.description': 'GigabitEthernet 0/3',
        'netif.name': 'ge-0/3',
      },
      values: { 'netif.bytes.in': 2740326354009 },
    });
    assert.deepEqual(Object.keys(system![0]!.values), ['system.uptime']);
    assert.match(system![0]!.labels['system.description']!, /EX-1000/);
  });

  it('runs at the device’s slots, sends batches to the pipeline, and has rates from the second poll on', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    agent.set({ hasMovingUptime: true });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([
      { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 1' },
    ]);
    const options = { poller: { counters: { rate: true } } };
    const { output, poller, device } = await startPolling(t, folder, options);
    await output.waitFor((batches) => batches.filter(({ record }) => record.startsWith('IF')).length >= 3);
    const batches = output.batches.filter(({ record }) => record.startsWith('IF'));
    const [first, second, third] = batches;
    assert.equal(second!.slotMs - first!.slotMs, 1000);
    assert.equal(third!.slotMs - second!.slotMs, 1000);
    assert.equal(first!.rows, third!.rows, 'batches share their rows while no label changes');
    assert.ok(second!.sequence > first!.sequence);
    const [before, after] = [first!, second!].map((batch) => [...rowsOf(batch)][2]!.values);
    assert.deepEqual(Object.keys(before!), ['netif.bytes.in']);
    assert.deepEqual(Object.keys(after!), ['netif.bytes.in', 'netif.bytes.in_rate']);
    const counters = poller.deviceCounters(device('sw'))!;
    assert.ok(counters.polls >= 3 && counters.failedPolls === 0 && counters.values > 50);
    assert.equal(poller.latest(device('sw')).length, 2);
    assert.equal(poller.slowest()[0]?.device.name, 'sw');
  });

  it('gives every batch the same start time of the agent', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    agent.set({ hasMovingUptime: true });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { poll, discovered } = await startPolling(t, folder);
    await discovered();
    const batches = [...(await poll('sw')), ...(await poll('sw'))];
    const [, system] = batches;
    const upTimeMs = [...rowsOf(system!)][0]!.values['system.uptime'] as number;
    assert.equal(batches.length, 4);
    assert.ok(Math.abs(system!.timeMs - upTimeMs - system!.startedMs!) < 5_000);
    assert.deepEqual(new Set(batches.map(({ startedMs }) => startedMs)), new Set([system!.startedMs]));
  });

  it('returns the same values with an engine that has no compiled requests', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const rows = [];
    for (const engine of ['waywiser', 'net-snmp']) {
      const { poll, discovered } = await startPolling(t, folder, { client: { engine } });
      await discovered();
      rows.push((await poll('sw')).map((batch) => [...rowsOf(batch)]));
    }
    assert.ok(rows[0]!.flat().length > 20);
    assert.deepEqual(rows[1], rows[0]);
  });
});

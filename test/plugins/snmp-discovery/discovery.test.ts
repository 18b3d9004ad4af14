import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { EventMap } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

const ifEntry = 'IF-MIB::ifEntry';
const ifXEntry = 'IF-MIB::ifXEntry';

describe('snmp-discovery', () => {
  it('discovers the identity of a new device, its rows, and where 64-bit counters override 32-bit ones', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle, heard } = await startDiscovery(t, folder);
    await settle();

    const inventory = discovery.findInventory(device('sw'))!;
    assert.deepEqual(heard, ['completed sw initial']);
    assert.equal(inventory.version, 1);
    assert.deepEqual(inventory.deviceGroups, ['switch']);
    assert.equal(inventory.credential, 0);
    assert.ok(inventory.sysObjectId?.startsWith('1.3.6.1.4.1.'));
    assert.deepEqual(inventory.objects.get('SNMPv2-MIB::system')?.instances, ['0']);
    const rows = inventory.objects.get(ifEntry)?.instances ?? [];
    assert.ok(rows.length >= 24);
    assert.deepEqual(inventory.objects.get(ifXEntry)?.instances, rows);
    assert.notEqual(inventory.objects.get(ifXEntry)?.overriding['ifHCInOctets'], undefined);
    assert.equal(device('sw').status.state, 'up');
  });

  it('records for each row whether the overriding attribute exists', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    agent.set({ rows: [{ table: '1.3.6.1.2.1.31.1.1.1', index: '2', isPresent: () => false }] });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle } = await startDiscovery(t, folder);
    await settle();
    const objects = discovery.findInventory(device('sw'))!.objects;
    assert.ok(objects.get(ifEntry)!.instances.includes('2'));
    assert.ok(!objects.get(ifXEntry)!.instances.includes('2'));
  });

  it('tries each credential once, in order, and remembers the one that answered', async (t) => {
    await using agent = await startReplayAgent({
      recording: 'test/recordings/switch.snmprec',
      community: 'third',
    });
    const folder = new DefinitionFolder(t);
    folder.write(
      'devices/sw.yml',
      `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [first, second, third, fourth], timeout: 50, retries: 0, device_groups: [plain] }\n`,
    );
    const { discovery, device, settle } = await startDiscovery(t, folder);
    await settle();
    assert.equal(discovery.findInventory(device('sw'))?.credential, 2);
    const refused = agent.counters.refused.community;
    assert.equal(refused, 2);
    await discovery.request(device('sw'), 'requested').run.ended;
    assert.equal(agent.counters.refused.community, 2, 'the credential that answered is tried first');
  });

  it('finds the device group by sysObjectID when none is configured', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t, { 'autodiscover/sysoids/all.yml': '.1.3.6.1.4.1: switch\n' });
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'tags: { a: b }' }]);
    const { discovery, device, settle, definitions } = await startDiscovery(t, folder);
    await settle();
    assert.deepEqual(discovery.findInventory(device('sw'))?.deviceGroups, ['switch']);

    folder.write('autodiscover/sysoids/all.yml', '.1.3.6.1.4.1: plain\n');
    await definitions.apply({ requestedBy: 'test' });
    await discovery.request(device('sw'), 'requested').run.ended;
    assert.deepEqual(discovery.findInventory(device('sw'))?.deviceGroups, ['plain']);
  });

  it('names the sysObjectID that has no group', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t, { 'autodiscover/sysoids/all.yml': '.1.3.6.1.4.1.1: switch\n' });
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'tags: { a: b }' }]);
    const { discovery, settle } = await startDiscovery(t, folder);
    await settle();
    const outcome = discovery.runs[0]?.outcome;
    assert.ok(
      outcome?.ok === false &&
        outcome.code === 'DISCOVERY_NO_GROUP' &&
        /1\.3\.6\.1\.4\.1/.test(outcome.message),
    );
  });

  it('keeps the old inventory when a discovery fails, and gives the reason', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle, heard } = await startDiscovery(t, folder);
    await settle();
    const before = discovery.findInventory(device('sw'));
    agent.set({ isSilent: true });
    const outcome = await discovery.request(device('sw'), 'requested').run.ended;
    assert.ok(!outcome.ok && outcome.code === 'SNMP_TIMEOUT');
    assert.deepEqual(heard, ['completed sw initial', 'failed sw requested']);
    assert.equal(discovery.findInventory(device('sw')), before);
    assert.equal(device('sw').status.state, 'suspect');
  });

  it('changes nothing when the device stops answering', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle, collector } = await startDiscovery(t, folder);
    await settle();
    const before = discovery.findInventory(device('sw'));
    agent.set({ delayMs: 20 });
    collector.events.on('discovery.started', () => void setTimeout(() => agent.set({ isSilent: true }), 30));
    const outcome = await discovery.request(device('sw'), 'requested').run.ended;
    assert.equal(outcome.ok, false);
    assert.equal(discovery.findInventory(device('sw')), before);
  });

  it('counts added and removed instances', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle } = await startDiscovery(t, folder);
    await settle();
    agent.set({
      rows: ['1', '2'].map((index) => ({ table: '1.3.6.1.2.1.2.2.1', index, isPresent: () => false })),
    });
    const gone = await discovery.request(device('sw'), 'requested').run.ended;
    assert.ok(gone.ok);
    assert.deepEqual(gone.change.removed, { [ifEntry]: 2 });
    agent.set({ rows: [] });
    const back = await discovery.request(device('sw'), 'requested').run.ended;
    assert.deepEqual(back.ok && back.change.added, { [ifEntry]: 2 });
    assert.equal(discovery.findInventory(device('sw'))?.version, 3);
  });

  it('reports its progress in the run, and in events when it takes long', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    agent.set({ maxReplyVarbinds: 6, delayMs: 220 });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle, collector } = await startDiscovery(t, folder);
    const told: EventMap['discovery.progressed'][] = [];
    collector.events.on('discovery.progressed', (event) => void told.push(event));
    await settle();
    const { progress, id } = discovery.runs[0]!;
    const rows = [...discovery.findInventory(device('sw'))!.objects.values()];
    const instances = rows.reduce((sum, { instances }) => sum + instances.length, 0);
    assert.deepEqual(progress, { objects: 3, total: 3, instances });
    assert.ok(told.length >= 1, 'it took two seconds');
    assert.ok(told.every((event) => event.id === id && event.total === 3));
    assert.ok(told[0]!.instances > 1 && told[0]!.instances <= instances, JSON.stringify(told[0]));
  });

  it('lets later requests join a run that waits or runs', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle } = await startDiscovery(t, folder);
    await settle();
    const first = discovery.request(device('sw'), 'scheduled');
    const second = discovery.request(device('sw'), 'requested');
    assert.deepEqual([first.joined, second.joined], [false, true]);
    assert.equal(second.run, first.run);
    await first.run.ended;
    assert.equal(discovery.request(device('sw'), 'requested').joined, false);
    await settle();
    assert.equal(discovery.findInventory(device('sw'))?.version, 3);
  });

  it('retries the first discovery of an unreachable device', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    agent.set({ isSilent: true });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [plain]' }]);
    const { discovery, device, settle, heard } = await startDiscovery(t, folder, { retry_ms: 100 });
    await settle();
    assert.deepEqual(heard, ['failed sw initial']);
    agent.set({ isSilent: false });
    while (discovery.findInventory(device('sw')) === undefined)
      await new Promise((done) => setTimeout(done, 20));
    assert.equal(heard.at(-1), 'completed sw initial');
  });

  it('loads its inventories after a restart, without requests to devices', async (t) => {
    const { InventoryStore } = await import('../../../plugins/snmp-discovery/inventory-store.ts');
    const { Journal } = await import('../../../src/storage/index.ts');
    const { SliceTurns } = await import('../../../src/timing/index.ts');
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovery, device, settle, collector } = await startDiscovery(t, folder);
    await settle();
    const path = `${collector.stateDirectory}/snmp-discovery/inventories.journal`;
    const findKept = () => {
      copyFileSync(path, `${path}.copy`);
      const { journal, content } = Journal.open(`${path}.copy`, { groupMs: 0, onError: assert.ifError });
      const kept = new InventoryStore(journal, content.values, new SliceTurns(), () => assert.fail()).find(
        device('sw'),
      );
      journal.close();
      return kept;
    };
    await until(() => existsSync(path) && findKept() !== undefined);
    assert.deepEqual(findKept(), discovery.findInventory(device('sw')));
  });
});

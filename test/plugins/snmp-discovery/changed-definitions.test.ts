import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

describe('a change of definitions', () => {
  const changedInterfaces = smallDefinitions['objects/interfaces.yml']!.replace(
    'netif.bytes.in',
    'netif.octets.in',
  );
  const groups = ['device_groups: [switch]', 'device_groups: [switch]', 'device_groups: [plain]'];

  /** Three discovered devices: `a` and `b` have interfaces, `c` has none. */
  async function startThree(t: TestContext) {
    const agents = await startSwitches(3);
    t.after(() => Promise.all(agents.map((agent) => agent.close())));
    const folder = new DefinitionFolder(t);
    const devices = agents.map(({ port }, i) => ({ name: 'abc'[i]!, port, groups: groups[i]! }));
    folder.writeDevices(devices);
    const stack = await startDiscovery(t, folder);
    await stack.settle();
    stack.heard.length = 0;
    const apply = async (forceRediscovery: boolean) => {
      const result = await stack.definitions.apply({ forceRediscovery, requestedBy: 'test' });
      await stack.settle();
      return result;
    };
    return { ...stack, agents, folder, devices, apply };
  }

  it('without force rediscovers no device', async (t) => {
    const { folder, heard, apply, agents } = await startThree(t);
    const received = agents.map(({ counters }) => counters.requests);
    folder.write('objects/interfaces.yml', changedInterfaces);
    const result = await apply(false);
    assert.ok(result.accepted && result.changed);
    assert.deepEqual(
      result.affectedDevices.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.deepEqual(heard, []);
    assert.deepEqual(
      agents.map(({ counters }) => counters.requests),
      received,
    );
  });

  it('with force rediscovers exactly the affected devices', async (t) => {
    const { folder, heard, apply } = await startThree(t);
    folder.write('objects/interfaces.yml', changedInterfaces);
    await apply(true);
    assert.deepEqual(heard.sort(), ['completed a forced', 'completed b forced']);
  });

  it('with force rediscovers a device whose object group changed', async (t) => {
    const { folder, heard, apply } = await startThree(t);
    const text = smallDefinitions['object_groups/groups.yml']!.replace('[SNMPv2-MIB::system]', '[]');
    folder.write('object_groups/groups.yml', text);
    await apply(true);
    assert.deepEqual(heard.sort(), ['completed a forced', 'completed b forced', 'completed c forced']);
  });

  it('with force rediscovers no device when nothing changed, or only definitions that no device uses', async (t) => {
    const { folder, heard, apply } = await startThree(t);
    const same = await apply(true);
    assert.ok(same.accepted && !same.changed);
    folder.write('objects/system.yml', `# a comment\n${smallDefinitions['objects/system.yml']}`);
    await apply(true);
    folder.write('object_groups/unused.yml', 'unused: { objects: [IF-MIB::ifEntry] }\n');
    const unrelated = await apply(true);
    assert.ok(unrelated.accepted && unrelated.changed);
    assert.deepEqual(heard, []);
  });

  it('discovers an added device, and deletes the inventory of a removed one', async (t) => {
    const { folder, heard, apply, devices, device, discovery } = await startThree(t);
    const c = device('c');
    folder.writeDevices(devices.slice(0, 2));
    await apply(false);
    assert.equal(discovery.findInventory(c), undefined);
    folder.writeDevices(devices);
    await apply(false);
    assert.deepEqual(heard, ['completed c initial']);
  });

  it('starts no discovery of a removed device, whatever requests it', async (t) => {
    const { folder, heard, apply, devices, device, discovery } = await startThree(t);
    const c = device('c');
    folder.writeDevices(devices.slice(0, 2));
    await apply(false);
    const outcome = await discovery.request(c, 'reset').run.ended;
    assert.ok(!outcome.ok && outcome.code === 'DISCOVERY_GIVEN_UP', JSON.stringify(outcome));
    assert.equal(discovery.findInventory(c), undefined);
    assert.deepEqual(heard, []);
  });

  it('rediscovers a device whose credentials changed', async (t) => {
    const { folder, heard, apply, devices } = await startThree(t);
    folder.writeDevices(devices.map((each) => ({ ...each, groups: `${each.groups}, tags: { site: x }` })));
    await apply(false);
    assert.deepEqual(heard, [], 'a changed tag does not start a discovery');
    const text = `a: { ip: 127.0.0.1, port: ${devices[0]!.port}, version: 1, communities: [public], device_groups: [switch] }\n`;
    folder.writeDevices(devices.slice(1));
    folder.write('devices/a.yml', text);
    await apply(false);
    assert.deepEqual(heard, ['completed a changed']);
  });

  it('with force rediscovers a device whose group changed', async (t) => {
    const { folder, heard, apply, devices } = await startThree(t);
    folder.writeDevices(devices.map((each) => ({ ...each, groups: 'device_groups: [switch]' })));
    await apply(true);
    assert.deepEqual(heard, ['completed c forced']);
  });

  it('with force rediscovers a device whose group comes from its sysObjectID', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t, { 'autodiscover/sysoids/all.yml': '.1.3.6.1.4.1: switch\n' });
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'tags: { a: b }' }]);
    const { settle, definitions, heard } = await startDiscovery(t, folder);
    await settle();
    folder.write('objects/interfaces.yml', changedInterfaces);
    await definitions.apply({ forceRediscovery: true, requestedBy: 'test' });
    await settle();
    assert.deepEqual(heard, ['completed sw initial', 'completed sw forced']);
  });

  it('of sysObjectIDs alone is a new generation, and with force rediscovers the devices whose group changes', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    await using other = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const sysoids = 'autodiscover/sysoids/all.yml';
    const folder = new DefinitionFolder(t, { [sysoids]: '.1.3.6.1.4.1: switch\n.1.3.6.1.4.1.7: plain\n' });
    folder.writeDevices([
      { name: 'led', port: agent.port, groups: 'tags: { a: b }' },
      { name: 'told', port: other.port, groups: 'device_groups: [switch]' },
    ]);
    const { settle, definitions, heard, discovery, device } = await startDiscovery(t, folder);
    await settle();
    heard.length = 0;
    const apply = async (mapping: string, forceRediscovery: boolean) => {
      folder.write(sysoids, mapping);
      const result = await definitions.apply({ forceRediscovery, requestedBy: 'test' });
      await settle();
      assert.ok(result.accepted && result.changed);
      return result.affectedDevices.map(({ name }) => name);
    };
    const unrelated = await apply('.1.3.6.1.4.1: switch\n.1.3.6.1.4.1.8: plain\n', true);
    assert.deepEqual([unrelated, heard], [[], []]);
    assert.deepEqual(await apply('.1.3.6.1.4.1: plain\n', false), ['led']);
    assert.deepEqual(heard, []);
    assert.deepEqual(discovery.findInventory(device('led'))?.deviceGroups, ['switch']);
    assert.deepEqual(await apply('.1.3.6.1.4.1: plain\n.1.3.6.1.4.1.32473: switch\n', true), ['led']);
    assert.deepEqual(heard, ['completed led forced']);
    assert.deepEqual(await apply('.1.3.6.1.4.1: plain\n', true), ['led']);
    assert.deepEqual(discovery.findInventory(device('led'))?.deviceGroups, ['plain']);
  });

  it('of networks alone is a new generation that affects no device', async (t) => {
    const { folder, heard, apply, definitions } = await startThree(t);
    folder.write(
      'autodiscover/networks.yml',
      'lab: { credentials: [{ version: 2c, community: public }], networks: [192.0.2.0/24] }\n',
    );
    const before = definitions.current.number;
    const result = await apply(true);
    assert.ok(result.accepted && result.changed, JSON.stringify(result));
    assert.deepEqual(result.changes.networks, { added: ['lab'], changed: [], removed: [] });
    assert.equal(definitions.current.number, before + 1);
    assert.deepEqual(heard, []);
  });

  it('that is rejected affects no device', async (t) => {
    const { folder, heard, apply, definitions } = await startThree(t);
    const before = definitions.current;
    folder.write('objects/interfaces.yml', 'IF-MIB::ifEntry: { mib: [ }');
    const result = await apply(true);
    assert.equal(result.accepted, false);
    assert.equal(definitions.current, before);
    assert.deepEqual(heard, []);
  });
});

async function startSwitches(count: number): Promise<ReplayAgent[]> {
  return Promise.all(
    Array.from({ length: count }, () => startReplayAgent({ recording: 'test/recordings/switch.snmprec' })),
  );
}

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

/** A switch that answers each request after 150 ms, with an inventory and a second discovery under way. */
async function startSecondRun(t: TestContext) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  const put = (more: string) =>
    folder.write('devices/sw.yml', `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, ${more} }\n`);
  put('communities: [public], device_groups: [switch]');
  const stack = await startDiscovery(t, folder);
  await stack.settle();
  stack.heard.length = 0;
  agent.set({ delayMs: 150 });
  const { run } = stack.discovery.request(stack.device('sw'), 'requested');
  await until(() => run.state === 'running');
  return { ...stack, agent, folder, put, run };
}

describe('an apply while a device is being discovered', () => {
  it('that renames its group lets the discovery finish with the definitions that it began with', async (t) => {
    const { discovery, definitions, device, folder, put, run } = await startSecondRun(t);
    const before = discovery.findInventory(device('sw'))!;
    const groups = smallDefinitions['device_groups/groups.yml']!;
    folder.write('device_groups/groups.yml', groups.replace('switch:', 'renamed:'));
    put('communities: [public], device_groups: [renamed]');
    const applied = await definitions.apply({ requestedBy: 'test' });
    assert.ok(applied.accepted && applied.changed && run.state === 'running');
    assert.ok((await run.ended).ok);
    const { objects, generation, deviceGroups } = discovery.findInventory(device('sw'))!;
    assert.deepEqual(objects, before.objects);
    assert.deepEqual([generation, deviceGroups], [before.generation, ['switch']]);
  });

  it('that disables the device ends the discovery and sends no more requests', async (t) => {
    const { agent, definitions, put, heard, settle } = await startSecondRun(t);
    put('communities: [public], device_groups: [switch], enabled: false');
    await definitions.apply({ requestedBy: 'test' });
    await settle();
    assert.deepEqual(heard, ['failed sw requested']);
    const asked = agent.counters.requests;
    await sleep(50);
    assert.equal(agent.counters.requests, asked);
  });

  it('that removes the device ends the discovery, and reports it once', async (t) => {
    const { collector, definitions, folder, heard, run } = await startSecondRun(t);
    const codes: string[] = [];
    collector.events.on('discovery.failed', ({ id, code }) => {
      assert.equal(id, run.id);
      codes.push(code);
    });
    folder.write('devices/sw.yml', '{}\n');
    await definitions.apply({ requestedBy: 'test' });
    const outcome = await run.ended;
    assert.ok(!outcome.ok && /the device was removed/.test(outcome.message), JSON.stringify(outcome));
    await until(() => codes.length > 0);
    assert.deepEqual(codes, ['DISCOVERY_GIVEN_UP']);
    assert.deepEqual(heard, ['failed sw requested']);
  });

  it('that changes its credentials starts another discovery with the new ones', async (t) => {
    const { discovery, definitions, device, put, settle, heard } = await startSecondRun(t);
    put('communities: [other, public], timeout: 400, retries: 0, device_groups: [switch]');
    await definitions.apply({ requestedBy: 'test' });
    await settle();
    assert.deepEqual(heard, ['completed sw requested', 'completed sw changed']);
    assert.equal(discovery.findInventory(device('sw'))?.credential, 1);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

it('a walk that does not increase is reported with its table, also in a column that overrides others', async (t) => {
  await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  const folder = new DefinitionFolder(t);
  folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
  const { discovery, device, settle, collector } = await startDiscovery(t, folder);
  await settle();
  const discover = async () => {
    const outcome = await discovery.request(device('sw'), 'requested').run.ended;
    return outcome.ok ? outcome.change.partial : outcome.message;
  };
  assert.equal(await discover(), undefined, 'a whole table');
  const names = '1.3.6.1.2.1.2.2.1.2';
  agent.set({ jumps: [{ after: `${names}.5`, to: `${names}.5` }] });
  assert.deepEqual(await discover(), { 'IF-MIB::ifEntry': 'notIncreasing' });
  const octets = '1.3.6.1.2.1.31.1.1.1.6';
  agent.set({ jumps: [{ after: `${octets}.5`, to: `${octets}.3` }] });
  assert.deepEqual(await discover(), { 'IF-MIB::ifXEntry': 'notIncreasing' });
  await discover();
  await discover();
  await collector.stop();
  const lines = collector.logLines.filter(({ message }) => String(message).startsWith('Tables were not'));
  // The second line is about the same device within a minute: it is written at the end, with a count.
  assert.deepEqual(
    lines.map(({ partial, repeated = 1 }) => [Object.keys(partial as object), repeated]),
    [
      [['IF-MIB::ifEntry'], 1],
      [['IF-MIB::ifXEntry'], 1],
    ],
    'each table once, however many discoveries find the same',
  );
});

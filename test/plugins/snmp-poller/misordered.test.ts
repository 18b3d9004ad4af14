import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const table = '1.3.6.1.2.1.31.1.1.1';
const ifHCInOctets = `${table}.6`;

it('a poll whose OIDs do not increase is told once per table, and its values are read by GET', async (t) => {
  await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  const folder = new DefinitionFolder(t);
  folder.writeDevices([
    { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 86400' },
  ]);
  const { collector, poll, poller, device, discovered } = await startPolling(t, folder);
  await discovered();
  const told: string[] = [];
  collector.events.on('device.misordered', (event) => void told.push(`${event.device.name} ${event.table}`));
  const readOctets = async () => {
    const batches = await poll('sw');
    return batches.flatMap(({ columns }) => columns).find(({ field }) => field === 'netif.bytes.in')!;
  };
  await readOctets();
  assert.deepEqual(told, []);
  agent.set({ jumps: [{ after: `${ifHCInOctets}.5`, to: `${ifHCInOctets}.3` }] });
  for (let polls = 0; polls < 3; polls++) assert.equal((await readOctets()).gaps, undefined);
  assert.deepEqual(told, [`sw ${table}`]);
  const { verdict } = poller.explain(device('sw'), {
    object: 'IF-MIB::ifXEntry',
    instance: '5',
    attribute: 'ifHCInOctets',
  });
  assert.match(verdict, /The last poll returned it\. .*do not increase.* read by GET until \d{4}-\d\d-\d\dT/);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

it('a restart polls immediately with the stored inventory, and rediscovers only when that is too old', async (t) => {
  await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  const folder = new DefinitionFolder(t);
  folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
  const stateDirectory = temporaryFolder(t);

  const first = await startPolling(t, folder, { stateDirectory });
  await first.discovered();
  const before = await first.poll('sw');
  await first.collector.stop();

  const young = await startPolling(t, folder, { stateDirectory });
  const { requests } = agent.counters;
  const after = await young.poll('sw');
  assert.deepEqual(
    after.map(({ record, rows }) => [record, rows.keys]),
    before.map(({ record, rows }) => [record, rows.keys]),
  );
  assert.ok(agent.counters.requests - requests <= 4, 'only a poll');
  assert.deepEqual(young.discovery.runs, []);
  await young.collector.stop();

  const old = await startPolling(t, folder, { stateDirectory, discovery: { every_hours: 1e-7 } });
  assert.deepEqual(
    old.discovery.runs.map(({ cause }) => cause),
    ['scheduled'],
  );
  assert.equal((await old.poll('sw')).length, 2, 'polled during the discovery');
  await old.discovered();
  assert.equal(old.discovery.findInventory(old.device('sw'))?.version, 2);
});

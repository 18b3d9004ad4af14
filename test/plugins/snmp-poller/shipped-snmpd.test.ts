import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gapReasons } from '../../../src/index.ts';
import { shippedDirectory } from '../../shipped/shipped.ts';
import { missingTool } from '../../support/needs.ts';
import { startSnmpd } from '../../support/snmpd.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { readRawDefinitions } from './recorded/raw-definitions.ts';
import { startPolling } from './support/poller-stack.ts';

it('the whole shipped set is polled from a real snmpd without a timeout', {
  skip: missingTool('snmpd'),
}, async (t) => {
  const agent = await startSnmpd(['rocommunity public']);
  t.after(() => agent[Symbol.asyncDispose]());
  const folder = new DefinitionFolder(t, {}, shippedDirectory);
  const groups = readRawDefinitions().objectGroups;
  folder.write('device_groups/all.yml', `all: { object_groups: [${groups.join(', ')}] }\n`);
  folder.write('defaults/device.yml', 'default: { timeout: 10000, device_groups: [all] }\n');
  folder.write(
    'devices/linux.yml',
    `linux: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public], poll_interval: 86400 }\n`,
  );
  const { discovered, poll, discovery, device, poller } = await startPolling(t, folder);
  await discovered();
  const found = [...discovery.findInventory(device('linux'))!.objects];
  assert.deepEqual(
    found.filter(([, { partial }]) => partial !== undefined),
    [],
  );
  const hrDevices = found.find(([id]) => id === 'HOST-RESOURCES-MIB::hrDeviceEntry')![1].instances;
  assert.ok(hrDevices.includes('196608'), 'the index that is a multiple of 128');
  const batches = await poll('linux');
  const timeouts = batches.flatMap(({ record, columns }) =>
    columns
      .filter(({ gaps }) => gaps?.some((gap) => gapReasons[gap] === 'timeout'))
      .map(({ field }) => `${record} ${field}`),
  );
  assert.deepEqual(timeouts, []);
  assert.ok(batches.length > 10, `${batches.length} batches`);
  assert.equal(poller.deviceCounters(device('linux'))?.lastFailure, undefined);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const rows = 11_000;

it('the inventory of a long table is complete and in order', async (t) => {
  const lines = ['1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.9.9', '1.3.6.1.2.1.1.3.0|67|1000'];
  for (let row = 1; row <= rows; row++) lines.push(`1.3.6.1.2.1.2.2.1.2.${row}|4|Port ${row}`);
  await using agent = await startReplayAgent({ recording: parseRecording(lines.join('\n')) });
  const folder = new DefinitionFolder(t);
  folder.writeDevices([{ name: 'big', port: agent.port, groups: 'device_groups: [switch]' }]);
  const { call, settle } = await startApi(t, folder);
  await settle();
  const { body, headers } = await call('GET', '/api/v1/snmp/devices/big/inventory');
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  const instances = Array.from({ length: rows }, (_, row) => String(row + 1));
  assert.deepEqual(body.objects, [
    { id: 'IF-MIB::ifEntry', instances },
    { id: 'IF-MIB::ifXEntry', instances: [] },
    { id: 'SNMPv2-MIB::system', instances: ['0'] },
  ]);
});

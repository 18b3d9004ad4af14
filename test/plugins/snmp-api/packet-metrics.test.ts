import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { platform } from 'node:os';
import { it } from 'node:test';
import { snmpClientToken } from '../../../plugins/snmp-client/service.ts';
import { until } from '../../support/until.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

it('counts ignored SNMP packets by cause, and those that the kernel dropped', async (t) => {
  const { call, collector } = await startApi(t, new DefinitionFolder(t));
  const client = collector.getService(snmpClientToken);
  const agent = createSocket('udp4');
  t.after(() => agent.close());
  agent.bind(0, '127.0.0.1');
  await once(agent, 'listening');
  agent.on('message', (request, { port }) => {
    const wrongId = Buffer.from(request);
    // The request id is the INTEGER of four octets.
    const id = wrongId.indexOf(Buffer.from([0x02, 0x04])) + 2;
    wrongId.writeInt32BE(wrongId.readInt32BE(id) ^ 0x01010101, id);
    agent.send(Buffer.from('this is not SNMP'), port, '127.0.0.1');
    agent.send(wrongId, port, '127.0.0.1');
  });
  const { port } = agent.address();
  const session = await client.open({
    address: '127.0.0.1',
    port,
    version: '2c',
    community: 'public',
    timeoutMs: 50,
    retries: 0,
  });
  await assert.rejects(session.get(['1.3.6.1.2.1.1.3.0']));
  let text = '';
  await until(async () => {
    text = (await call('GET', '/metrics')).text;
    return /packets_ignored_total\{cause="unknown_request"\} [1-9]/.test(text);
  });
  assert.match(text, /waywiser_snmp_packets_ignored_total\{cause="malformed_\w+"\} [1-9]/);
  assert.match(text, /waywiser_snmp_packets_ignored_total\{cause="wrong_source"\} \d/);
  if (platform() === 'linux') assert.match(text, /waywiser_snmp_packets_dropped_by_kernel_total \d/);
});

import assert from 'node:assert/strict';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import snmpExporter from '../../../plugins/snmp-exporter/index.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';

env['MANY_TARGETS_COMMUNITY'] = 'public';

/** After it, no poll of the networks here is shared any more. */
const intervalMs = 1_000;

const recording = parseRecording(
  '1.3.6.1.2.1.1.1.0|4|a switch\n1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.63000\n1.3.6.1.2.1.1.3.0|67|100\n',
);

describe('many scrapes at once', () => {
  it('each get the values of their own target, while half of the targets are silent', async (test) => {
    const [port] = await findFreeUdpPorts(1);
    const agents = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        startReplayAgent({ recording, address: `127.0.1.${i + 1}`, port: port! }),
      ),
    );
    test.after(() => Promise.all(agents.map((agent) => agent.close())));
    const folder = new DefinitionFolder(test, {
      ...smallDefinitions,
      'autodiscover/networks.yml': `public_v2:
  credentials: [{ version: 2c, community: "\${env:MANY_TARGETS_COMMUNITY}" }]
  networks: [127.0.1.0/24]
  port: ${port}
  poll_interval: 1
  timeout: 3000
  retries: 0
`,
    });
    const api = await startApi(test, folder, {
      more: [{ plugin: poller, options: { health_every_s: 0 } }, { plugin: snmpExporter }],
    });
    const statusesOf = async (targets: readonly { readonly address: string }[]) => {
      const answers = await Promise.all(
        targets.map(({ address }) => api.call('GET', `/snmp?target=${address}:${port}&module=plain`)),
      );
      return answers.map(({ status }) => status);
    };
    const good = agents.map(() => 200);
    assert.deepEqual(await statusesOf(agents), good);
    await sleep(intervalMs);
    for (const agent of agents.slice(8)) agent.set({ isSilent: true });
    assert.deepEqual(
      await statusesOf(agents),
      good.map((status, i) => (i < 8 ? status : 503)),
    );
    await sleep(intervalMs);
    for (const agent of agents) agent.set({ isSilent: false });
    assert.deepEqual(await statusesOf(agents), good);

    await sleep(intervalMs);
    const [one] = agents;
    const before = one!.counters.requests;
    assert.deepEqual(await statusesOf(agents.map(() => one!)), good);
    assert.equal(
      one!.counters.requests - before,
      1,
      'scrapes at the same time share one poll of one request',
    );
  });
});

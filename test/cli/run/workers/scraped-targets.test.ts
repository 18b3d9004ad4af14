import assert from 'node:assert/strict';
import { kill } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashToken, makeToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import { startReplayAgent } from '../../../../src/testing/index.ts';
import { DefinitionFolder, smallDefinitions } from '../../../plugins/support/definition-folder.ts';
import { findFreePort, findFreeUdpPorts } from '../../../support/free-port.ts';
import { CollectorProcess } from '../../support/collector-process.ts';

const recording = fileURLToPath(new URL('../../../recordings/switch.snmprec', import.meta.url));

describe('GET /snmp with workers', () => {
  it('is answered by the worker that owns the target, also after a worker was killed', async (t) => {
    const [agentPort] = await findFreeUdpPorts(1);
    const agents = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        startReplayAgent({ recording, address: `127.0.1.${i + 1}`, port: agentPort! }),
      ),
    );
    t.after(() => Promise.all(agents.map((agent) => agent.close())));
    const definitions = new DefinitionFolder(t, {
      ...smallDefinitions,
      'autodiscover/networks.yml': `public_v2:
  credentials: [{ version: 2c, community: "\${env:SCRAPED_COMMUNITY}" }]
  networks: [127.0.1.0/24]
  port: ${agentPort}
`,
    });
    const port = await findFreePort();
    const tokens = { read: makeToken(), operate: makeToken() };
    const collector = new CollectorProcess(t);
    collector.write(
      'waywiser.yml',
      `workers: 2
log_format: json
plugins:
  definitions-loader: { shipped: false, directories: [${definitions.path}] }
  snmp-client: {}
  snmp-discovery: { starts_per_second: 1000 }
  snmp-poller: {}
  snmp-exporter: {}
  http-api:
    port: ${port}
    tokens:
      - { name: reader, role: read, sha256: ${hashToken(tokens.read).toString('hex')} }
      - { name: prometheus, role: operate, sha256: ${hashToken(tokens.operate).toString('hex')} }
`,
    );
    collector.run(['start'], { SCRAPED_COMMUNITY: 'public' });
    await collector.reads('The collector is ready.');

    const scrape = async (address: string, role: 'read' | 'operate' = 'operate') => {
      const url = `http://127.0.0.1:${port}/snmp?target=${address}:${agentPort}&module=plain`;
      const answer = await fetch(url, {
        headers: { 'x-prometheus-scrape-timeout-seconds': '60', authorization: `Bearer ${tokens[role]}` },
      });
      return { member: answer.headers.get('waywiser-member'), answer, text: await answer.text() };
    };
    /** Until every target answers: shards that are being taken over have no owner. */
    const scrapeAll = async () => {
      const members: (string | null)[] = [];
      for (const agent of agents) {
        for (let tries = 0; ; tries++, await sleep(200)) {
          const { answer, member, text } = await scrape(agent.address);
          if (answer.status === 200) {
            assert.match(text, /^sysUpTime\{.*\} \d/m);
            assert.match(answer.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
            assert.equal(answer.headers.get('cache-control'), 'no-store');
            members.push(member);
            break;
          }
          assert.ok([502, 503].includes(answer.status), text);
          assert.ok(tries < 300, text);
        }
      }
      return members;
    };

    assert.deepEqual([...new Set(await scrapeAll())].sort(), ['worker-1', 'worker-2']);
    // Whichever worker owns it: the role of the caller goes with the request.
    for (const [i] of agents.entries()) {
      const { answer, text } = await scrape(`127.0.1.${100 + i}`, 'read');
      assert.equal(answer.status, 403, text);
      assert.match(text, /PROBE_ROLE_TOO_LOW/);
    }
    const asked = agents.map(({ counters }) => counters.requests);
    assert.ok(asked.every((requests) => requests > 0));
    const refused = await scrape('127.0.0.2');
    assert.equal(refused.answer.status, 403);
    assert.match(refused.text, /PROBE_TARGET_REFUSED/);

    const begun = /"worker":"worker-1","pid":(\d+),"message":"A worker has begun/.exec(collector.stderr);
    kill(Number(begun![1]), 'SIGKILL');
    await collector.reads('"worker":"worker-1"');
    const after = await scrapeAll();
    assert.ok(after.every((member) => member?.startsWith('worker-')));
  });
});

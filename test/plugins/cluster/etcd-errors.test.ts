import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import cluster from '../../../plugins/cluster/index.ts';
import { shardCount, shardsToken } from '../../../src/sharding/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';

async function startMember(t: TestContext, name: string, url: string) {
  const options = { name, lease_seconds: 3, etcd: { endpoints: [url], prefix: '/errors' } };
  const collector = await startTestCollector({ plugins: [{ plugin: cluster, options }] });
  t.after(() => collector.stop());
  const { fleet } = collector.getService(shardsToken);
  return { owned: () => fleet!.status().ownedShards, log: () => JSON.stringify(collector.logLines) };
}

describe('an etcd without space', { skip: noEtcd }, () => {
  it('is called full, and the members that have a lease poll on', async (t) => {
    const etcd = await EtcdServer.start(t, ['--quota-backend-bytes', String(16 << 20)]);
    const working = await startMember(t, 'working', etcd.url);
    await until(() => working.owned() === shardCount);
    const value = Buffer.alloc(1 << 20).toString('base64');
    for (let i = 0, code = 0; code === 0 && i < 100; i++)
      code = (await etcd.ask<{ code?: number }>('kv/put', { key: 'YQ==', value })).code ?? 0;
    const late = await startMember(t, 'late', etcd.url);
    await until(() => late.log().includes('CLUSTER_ETCD_FULL'));
    assert.match(late.log(), /alarm disarm/);
    assert.doesNotMatch(late.log(), /username/);
    // Longer than the lease.
    await sleep(5_000);
    assert.equal(working.owned(), shardCount);

    const { header } = await etcd.ask<{ header: { revision: string } }>('kv/range', { key: 'YQ==' });
    await etcd.ask('kv/compaction', { revision: header.revision, physical: true });
    await etcd.ask('maintenance/defragment', {});
    const { alarms } = await etcd.ask<{ alarms: object[] }>('maintenance/alarm', { action: 'GET' });
    for (const alarm of alarms) await etcd.ask('maintenance/alarm', { action: 'DEACTIVATE', ...alarm });
    await until(() => late.owned() > 0 && late.owned() + working.owned() === shardCount);
  });
});

describe('what etcd answers instead of a result', () => {
  for (const [status, answer, code, words] of [
    [
      400,
      { code: 3, error: 'etcdserver: authentication failed, invalid user ID or password' },
      'REFUSED',
      /username/,
    ],
    [403, { code: 7, error: 'etcdserver: permission denied' }, 'REFUSED', /below \/errors/],
    [503, { code: 14, error: 'etcdserver: no leader' }, 'UNREACHABLE', /no leader/],
    [503, { code: 14, message: 'etcdserver: request timed out' }, 'UNREACHABLE', /timed out/],
    [429, { code: 8, error: 'etcdserver: mvcc: database space exceeded' }, 'FULL', /quota-backend-bytes/],
    [429, { code: 8, error: 'etcdserver: too many requests' }, 'FAILED', /too many requests/],
    [500, { code: 15, error: 'etcdserver: corrupt cluster' }, 'FAILED', /corrupt cluster/],
    [404, 'page not found', 'UNREACHABLE', /status 404/],
    [502, '<html>a gateway</html>', 'UNREACHABLE', /status 502/],
    [200, '<html>a page</html>', 'UNREACHABLE', /no JSON/],
    [200, 'null', 'UNREACHABLE', /no JSON/],
  ] as const)
    it(`is told as CLUSTER_ETCD_${code}: ${status} ${JSON.stringify(answer)}`, async (t) => {
      const server = createServer((_, response) => {
        response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const member = await startMember(t, 'one', `http://127.0.0.1:${port}`);
      await until(() => member.log().includes('CLUSTER_ETCD_'));
      assert.match(member.log(), new RegExp(`CLUSTER_ETCD_${code}`));
      assert.match(member.log(), words);
      if (code !== 'REFUSED') assert.doesNotMatch(member.log(), /username/);
    });
});

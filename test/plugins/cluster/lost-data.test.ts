import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { EtcdClient } from '../../../plugins/cluster/etcd/etcd-client.ts';
import { EtcdCoordinator } from '../../../plugins/cluster/etcd/etcd-coordinator.ts';
import { beginningOf } from '../../../plugins/cluster/etcd/etcd-entries.ts';
import cluster from '../../../plugins/cluster/index.ts';
import { shardCount, shardsToken } from '../../../src/sharding/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { EtcdLink } from './support/etcd-link.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';
import { SlowReplies } from './support/slow-replies.ts';

async function startMember(t: TestContext, etcd: EtcdServer, stateDirectory: string, more: object = {}) {
  const options = { name: 'one', lease_seconds: 3, etcd: { endpoints: [etcd.url] }, ...more };
  const collector = await startTestCollector({ stateDirectory, plugins: [{ plugin: cluster, options }] });
  t.after(() => collector.stop());
  const shards = collector.getService(shardsToken);
  return { collector, shards, owned: () => shards.fleet!.status().ownedShards };
}

function connectTo(t: TestContext, url: string): EtcdCoordinator {
  const coordinator = new EtcdCoordinator(
    { endpoints: [url], tls: {}, timeoutMs: 5_000 },
    '/waywiser',
    () => {},
  );
  t.after(() => coordinator.close());
  return coordinator;
}

describe('an etcd that has lost its data', { skip: noEtcd }, () => {
  it('is refused until accept_new_cluster is set, and then epochs continue upwards', async (t) => {
    const etcd = await EtcdServer.start(t);
    const folder = temporaryFolder(t);
    const before = await startMember(t, etcd, folder);
    await until(() => before.owned() === shardCount);
    const epoch = before.shards.epochOf(7)!;
    // So many revisions that a new store begins below.
    for (let i = 0; i < 50; i++) await etcd.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    await etcd.beginAnew();
    const log = () => JSON.stringify(before.collector.logLines);
    await until(() => log().includes('CLUSTER_CHANGED'));
    assert.equal(before.owned(), 0);
    assert.match(log(), /accept_new_cluster/);
    assert.match(before.shards.fleet!.status().degraded ?? '', /other data/);
    await before.collector.stop();

    const refusing = await startMember(t, etcd, folder);
    await until(() => JSON.stringify(refusing.collector.logLines).includes('CLUSTER_CHANGED'));
    assert.equal(refusing.owned(), 0);
    await refusing.collector.stop();

    const accepting = await startMember(t, etcd, folder, { accept_new_cluster: true });
    await until(() => accepting.owned() === shardCount);
    assert.ok(accepting.shards.epochOf(7)! > epoch, 'readings of the new claim are newer');
    await accepting.collector.stop();

    const later = await startMember(t, etcd, folder);
    await until(() => later.owned() === shardCount);
  });
});

describe('a backup of etcd that is restored', { skip: noEtcd }, () => {
  it('counts as other data for every member, although etcd has the same id', async (t) => {
    const etcd = await EtcdServer.start(t);
    const connect = () => {
      const options = { endpoints: [etcd.url], tls: {}, timeoutMs: 5_000 };
      const coordinator = new EtcdCoordinator(options, '/waywiser', () => {});
      t.after(() => coordinator.close());
      return coordinator;
    };
    const [one, two] = [connect(), connect()];
    const before = await one.identify();
    await etcd.backUp();
    const lease = await one.grantLease(60_000);
    const epoch = (await one.claim(lease, 'one', 7))!;
    assert.equal(await one.identify(), before, 'a restart alone changes nothing');
    assert.equal(await two.identify(), before);
    await etcd.restore();
    const restored = await two.identify();
    assert.notEqual(restored, before);
    assert.equal(await one.identify(), restored);
    assert.equal(await connect().identify(), restored);
    assert.equal(await two.identify(), restored);
    const again = (await two.claim(await two.grantLease(60_000), 'two', 7))!;
    assert.ok(beginningOf(restored) + again > beginningOf(before) + epoch, 'its epochs are higher');
  });

  it('is not seen in a reply that a later one has overtaken', async (t) => {
    const etcd = await EtcdServer.start(t);
    const slow = await SlowReplies.start(t, etcd.url);
    const coordinator = new EtcdCoordinator(
      { endpoints: [slow.url], tls: {}, timeoutMs: 10_000 },
      '/waywiser',
      () => {},
    );
    t.after(() => coordinator.close());
    const before = await coordinator.identify();
    const release = slow.hold('/v3/kv/range');
    const asked = coordinator.identify();
    await until(() => slow.held > 0);
    await etcd.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    await new Promise<void>((resolve) => {
      t.after(coordinator.watch({ onSnapshot: () => resolve(), onChange() {} }));
    });
    release();
    assert.equal(await asked, before);
    assert.equal(await coordinator.identify(), before);
  });
});

describe('data of etcd that changes under a lease', { skip: noEtcd }, () => {
  it('counts as other data when a backup is restored that has the lease too', async (t) => {
    const etcd = await EtcdServer.start(t);
    await etcd.writeIdentity();
    const member = await startMember(t, etcd, temporaryFolder(t), { lease_seconds: 30 });
    await until(() => member.owned() === shardCount);
    const log = () => JSON.stringify(member.collector.logLines);
    await etcd.backUp();
    await until(() => member.owned() === shardCount);
    for (let i = 0; i < 50; i++) await etcd.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    // The watch begins again, and sees these revisions.
    await etcd.stop();
    await etcd.begin();
    const coordinator = connectTo(t, etcd.url);
    await coordinator.share('a', 'b');
    await until(() => member.shards.fleet!.shared.get('a') === 'b');
    await etcd.restore();
    await until(() => log().includes('CLUSTER_CHANGED'));
    assert.equal(member.owned(), 0);
  });

  it('is not taken from another etcd that answers for a while', async (t) => {
    const [right, wrong] = [await EtcdServer.start(t), await EtcdServer.start(t)];
    for (let i = 0; i < 50; i++) await wrong.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    const failures: string[] = [];
    const coordinator = new EtcdCoordinator(
      { endpoints: [right.url, wrong.url], tls: {}, timeoutMs: 1_000 },
      '/waywiser',
      (error) => void failures.push(String(error)),
    );
    t.after(() => coordinator.close());
    const before = await coordinator.identify();
    const claims: number[][] = [];
    t.after(
      coordinator.watch({
        onSnapshot: (snapshot) => void claims.push([...snapshot.claims.keys()]),
        onChange() {},
      }),
    );
    const lease = await coordinator.grantLease(60_000);
    await coordinator.claim(lease, 'one', 7);
    await right.stop();
    await until(() => failures.some((text) => text.includes('other data')));
    const known = claims.length;
    await right.begin();
    await until(() => claims.length > known);
    assert.ok(
      claims.slice(1).every((each) => each.join() === '7'),
      JSON.stringify(claims),
    );
    // The lease counts as ended, because nobody knows what happened to it. The data is the same.
    assert.equal(await coordinator.renewLease(lease), false);
    assert.equal(await coordinator.identify(), before);
    assert.ok(await coordinator.renewLease(await coordinator.grantLease(60_000)));
  });
});

describe('the state of a shard in etcd', { skip: noEtcd }, () => {
  it('is that of the later request, also when the earlier one ends after it', async (t) => {
    const etcd = await EtcdServer.start(t);
    const coordinator = connectTo(t, etcd.url);
    const epoch = (await coordinator.claim(await coordinator.grantLease(60_000), 'one', 5))!;
    // It takes several requests, one after the other.
    const earlier = coordinator.saveState(5, epoch, Buffer.alloc(3_000_000, 'a'));
    const later = coordinator.saveState(5, epoch, Buffer.from('later'));
    assert.deepEqual([await earlier, await later], [false, true]);
    assert.equal(Buffer.from((await coordinator.loadState(5))!.state).toString(), 'later');
    assert.ok(await coordinator.saveState(5, epoch, Buffer.from('last')));
    assert.equal(Buffer.from((await coordinator.loadState(5))!.state).toString(), 'last');
  });
});

describe('a watch of etcd', { skip: noEtcd }, () => {
  it('ends, and nothing else, when something between writes no JSON', async (t) => {
    const server = createServer((_, answer) => answer.end('<html>a proxy is out of order</html>\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const client = new EtcdClient({ endpoints: [`http://127.0.0.1:${port}`], tls: {}, timeoutMs: 5_000 });
    t.after(() => client.close());
    const error = await new Promise((resolve) => client.watch({ key: 'YQ==' }, () => assert.fail(), resolve));
    assert.ok(error instanceof SyntaxError, String(error));
  });
});

describe('a watched revision that etcd has compacted', { skip: noEtcd }, () => {
  const compact = async (etcd: EtcdServer) => {
    const { header } = await etcd.ask<{ header: { revision: string } }>('kv/range', { key: 'YQ==' });
    await etcd.ask('kv/compaction', { revision: header.revision, physical: true });
  };

  it('ends a watch that would begin there', async (t) => {
    const etcd = await EtcdServer.start(t);
    for (let i = 0; i < 3; i++) await etcd.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    await compact(etcd);
    const client = new EtcdClient({ endpoints: [etcd.url], tls: {}, timeoutMs: 5_000 });
    t.after(() => client.close());
    const ended = new Promise<unknown>((resolve) => {
      client.watch(
        { key: 'YQ==', start_revision: '2' },
        ({ events = [] }) => assert.deepEqual(events, []),
        resolve,
      );
    });
    assert.notEqual(await ended, undefined);
  });

  it('costs a member that was cut off meanwhile no change', async (t) => {
    const etcd = await EtcdServer.start(t);
    const link = await EtcdLink.start(t, etcd.url);
    const connect = (url: string) => {
      const options = { endpoints: [url], tls: {}, timeoutMs: 1_000 };
      const coordinator = new EtcdCoordinator(options, '/waywiser', () => {});
      t.after(() => coordinator.close());
      return coordinator;
    };
    const [watching, working] = [connect(link.url), connect(etcd.url)];
    const claims = new Map<number, string>();
    t.after(
      watching.watch({
        onSnapshot(snapshot) {
          claims.clear();
          for (const [shard, { member }] of snapshot.claims) claims.set(shard, member);
        },
        onChange(change) {
          if (change.kind !== 'claim') return;
          if (change.value === undefined) claims.delete(change.shard);
          else claims.set(change.shard, change.value.member);
        },
      }),
    );
    const lease = await working.grantLease(60_000);
    const epoch = (await working.claim(lease, 'other', 1))!;
    await until(() => claims.get(1) === 'other');
    link.cut();
    await working.release(1, epoch);
    await working.claim(lease, 'other', 2);
    await compact(etcd);
    link.connect();
    await until(() => claims.get(2) === 'other' && !claims.has(1));
  });
});

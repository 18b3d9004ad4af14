import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EtcdCoordinator } from '../../../plugins/cluster/etcd/etcd-coordinator.ts';
import cluster from '../../../plugins/cluster/index.ts';
import { type FleetSnapshot, shardCount, shardsToken } from '../../../src/sharding/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { EtcdLink } from './support/etcd-link.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const leaseMs = 60_000;

interface Entry {
  readonly value?: string;
  readonly lease?: string;
}

async function read(etcd: EtcdServer, key: string): Promise<Entry | undefined> {
  const { kvs = [] } = await etcd.ask<{ kvs?: Entry[] }>('kv/range', { key: encode(`/waywiser/${key}`) });
  return kvs[0];
}

function put(etcd: EtcdServer, key: string, value: string, lease = '0') {
  return etcd.ask('kv/put', { key: encode(`/waywiser/${key}`), value: encode(value), lease });
}

function remove(etcd: EtcdServer, key: string) {
  return etcd.ask('kv/deleterange', { key: encode(`/waywiser/${key}`) });
}

function connectTo(t: TestContext, { url }: EtcdServer): EtcdCoordinator {
  const options = { endpoints: [url], tls: {}, timeoutMs: 10_000 };
  const coordinator = new EtcdCoordinator(options, '/waywiser', () => {}, leaseMs);
  t.after(() => coordinator.close());
  return coordinator;
}

async function join(t: TestContext, etcd: EtcdServer, name: string) {
  const coordinator = connectTo(t, etcd);
  await coordinator.identify();
  const lease = await coordinator.grantLease(leaseMs);
  assert.ok(await coordinator.register(lease, { name, weight: 1, address: undefined, version: '1' }));
  return { coordinator, lease, renew: () => coordinator.renewLease(lease) };
}

describe('the identity of etcd’s data that is lost', { skip: noEtcd }, () => {
  it('costs no member its lease when several notice it at once', async (t) => {
    const etcd = await EtcdServer.start(t);
    const members = await Promise.all(['a', 'b', 'c', 'd'].map((name) => join(t, etcd, name)));
    const before = await read(etcd, 'cluster');
    for (let i = 0; i < 10; i++) {
      await (i % 2 === 0 ? remove(etcd, 'cluster') : put(etcd, 'cluster', 'x'));
      assert.deepEqual(await Promise.all(members.map(({ renew }) => renew())), [true, true, true, true]);
      assert.equal((await read(etcd, 'cluster'))?.value, before?.value);
    }
  });

  it('is not disputed by a member that begins with the wrong one', async (t) => {
    const etcd = await EtcdServer.start(t);
    const known = await join(t, etcd, 'known');
    const before = await read(etcd, 'cluster');
    await put(etcd, 'cluster', `${Date.now()}-wrong`);
    const fresh = await join(t, etcd, 'fresh');
    assert.ok(await known.renew());
    assert.equal(await fresh.renew(), false, 'it joins again, with the identity that counts');
    assert.ok(await known.renew());
    assert.equal((await read(etcd, 'cluster'))?.value, before?.value);
  });

  it('is written again by a member whose name had an entry without a lease', async (t) => {
    const etcd = await EtcdServer.start(t);
    await put(etcd, 'members/a', '{"weight":1}');
    const { renew } = await join(t, etcd, 'a');
    const before = await read(etcd, 'cluster');
    await remove(etcd, 'cluster');
    assert.ok(await renew());
    assert.equal((await read(etcd, 'cluster'))?.value, before?.value);
  });
});

describe('a claim whose value was overwritten', { skip: noEtcd }, () => {
  it('is written again by its owner, so that all know it', async (t) => {
    const etcd = await EtcdServer.start(t);
    const { coordinator, lease } = await join(t, etcd, 'a');
    const epoch = await coordinator.claim(lease, 'a', 7);
    await put(etcd, 'shards/7', 'x', (await read(etcd, 'shards/7'))!.lease);
    assert.equal(await coordinator.claim(lease, 'a', 7), epoch);
    const { claims } = await new Promise<FleetSnapshot>((onSnapshot) => {
      t.after(connectTo(t, etcd).watch({ onSnapshot, onChange() {} }));
    });
    assert.equal(claims.get(7)?.member, 'a');
  });
});

describe('data of etcd that is new', { skip: noEtcd }, () => {
  it('is young for a whole lease: a member that is cut off may trust the lease before', async (t) => {
    const etcd = await EtcdServer.start(t);
    await connectTo(t, etcd).identify();
    const { lease } = (await read(etcd, 'young'))!;
    const { grantedTTL } = await etcd.ask<{ grantedTTL: string }>('lease/timetolive', { ID: lease });
    assert.equal(Number(grantedTTL), leaseMs / 1000);
  });

  it('gets the vote again that somebody removed', async (t) => {
    const etcd = await EtcdServer.start(t);
    const coordinator = connectTo(t, etcd);
    const succession = coordinator.succession({ name: 'a', leaseMs, isPolling: async () => false });
    const peers = new Map([['a', { name: 'a', weight: 1, address: undefined, version: '1' }]]);
    const found = await coordinator.identify();
    const follow = () => succession.follows(found, `1/${Date.now() - leaseMs}-before`, peers);
    assert.match(String(await follow()), /waits until nobody trusts/);
    await remove(etcd, 'votes/a');
    assert.match(String(await follow()), /0 of the 1 members/);
    assert.match(String(await follow()), /waits until nobody trusts/);
  });

  it('is not used without a wait when it was found before, and the known data was used again since', async (t) => {
    const [etcd, other] = [await EtcdServer.start(t), await EtcdServer.start(t)];
    const link = await EtcdLink.start(t, etcd.url);
    const options = { name: 'a', lease_seconds: 6, etcd: { endpoints: [link.url] } };
    const collector = await startTestCollector({
      stateDirectory: temporaryFolder(t),
      plugins: [{ plugin: cluster, options }],
    });
    t.after(() => collector.stop());
    const fleet = collector.getService(shardsToken).fleet!;
    const waits = () => fleet.status().degraded?.includes('waits until nobody trusts') === true;
    const isWhole = () => fleet.status().ownedShards === shardCount;
    await until(isWhole);
    const identity = fleet.identity;
    link.lead(other.url);
    await until(waits);
    const foundMs = performance.now();
    link.lead(etcd.url);
    await until(() => isWhole() && performance.now() - foundMs > 6_500);
    assert.equal(fleet.identity, identity);
    link.lead(other.url);
    await until(() => fleet.identity !== identity);
    await until(() => waits() || isWhole());
    assert.ok(waits());
  });
});

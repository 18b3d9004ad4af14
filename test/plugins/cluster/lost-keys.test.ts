import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import cluster from '../../../plugins/cluster/index.ts';
import { listShards, shardCount, shardsToken } from '../../../src/sharding/index.ts';
import { chooseOwners } from '../../../src/sharding/shard.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { EtcdLink } from './support/etcd-link.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const clusterKey = encode('/waywiser/cluster');

/** Members of one fleet. Every turn of the event loop that the machine allows, it looks whether two of them own the same shard. */
class Fleet {
  readonly members = new Map<string, Awaited<ReturnType<Fleet['start']>>>();
  readonly doubled = new Set<string>();
  readonly #test: TestContext;
  readonly #url: string;
  readonly #folders = new Map<string, string>();

  constructor(t: TestContext, url: string) {
    this.#test = t;
    this.#url = url;
    const timer = setInterval(() => this.#look(), 10);
    t.after(() => clearInterval(timer));
  }

  async start(
    name: string,
    { url = this.#url, ...more }: { url?: string; accept_new_cluster?: boolean; lease_seconds?: number } = {},
  ) {
    const stateDirectory = this.#folders.get(name) ?? temporaryFolder(this.#test);
    this.#folders.set(name, stateDirectory);
    const options = { name, lease_seconds: 3, moves_per_second: 1024, etcd: { endpoints: [url] }, ...more };
    const collector = await startTestCollector({ stateDirectory, plugins: [{ plugin: cluster, options }] });
    this.#test.after(() => collector.stop());
    const shards = collector.getService(shardsToken);
    const member = { collector, shards, owned: () => shards.fleet!.status().ownedShards };
    this.members.set(name, member);
    return member;
  }

  async stop(name: string): Promise<void> {
    const { collector } = this.members.get(name)!;
    this.members.delete(name);
    await collector.stop();
  }

  owned(): number[] {
    return [...this.members.values()].map(({ owned }) => owned());
  }

  /** Every shard has come to the member that the hash chooses for it. */
  async isWhole(): Promise<void> {
    const owners = chooseOwners([...this.members.keys()].map((name) => ({ name, weight: 1 })));
    await until(() => owners.every((name, shard) => this.members.get(name!)!.shards.owns(shard)));
  }

  log(): string {
    return [...this.members.values()].map(({ collector }) => JSON.stringify(collector.logLines)).join('\n');
  }

  #look(): void {
    for (const shard of listShards()) {
      const owners = [...this.members].filter(([, { shards }]) => shards.owns(shard)).map(([name]) => name);
      if (owners.length > 1) this.doubled.add(`${shard}: ${owners.join(' and ')}`);
    }
  }
}

async function startFleet(t: TestContext, names: readonly string[], lease_seconds = 3) {
  const etcd = await EtcdServer.start(t);
  const fleet = new Fleet(t, etcd.url);
  for (const name of names) await fleet.start(name, { lease_seconds });
  await fleet.isWhole();
  return { etcd, fleet };
}

async function readCluster(etcd: EtcdServer): Promise<string | undefined> {
  const { kvs = [] } = await etcd.ask<{ kvs?: { value?: string }[] }>('kv/range', { key: clusterKey });
  return kvs[0] && Buffer.from(kvs[0].value ?? '', 'base64').toString();
}

describe('one key of etcd that is lost', { skip: noEtcd }, () => {
  it('is written again when it was the identity, and no member stops polling', async (t) => {
    // A busy machine must not end the leases.
    const { etcd, fleet } = await startFleet(t, ['a', 'b'], 12);
    const before = await readCluster(etcd);
    const owned = fleet.owned();
    let lowest = shardCount;
    const timer = setInterval(() => (lowest = Math.min(lowest, ...fleet.owned())), 5);
    t.after(() => clearInterval(timer));
    await etcd.ask('kv/deleterange', { key: clusterKey });
    await until(async () => (await readCluster(etcd)) === before);
    for (const value of [`${Date.now()}-another`, 'x', '']) {
      await etcd.ask('kv/put', { key: clusterKey, value: encode(value) });
      await until(async () => (await readCluster(etcd)) === before);
    }
    clearInterval(timer);
    assert.equal(lowest, Math.min(...owned));
    await fleet.start('c');
    await fleet.isWhole();
    assert.doesNotMatch(fleet.log(), /CLUSTER_CHANGED/);
    assert.deepEqual([...fleet.doubled], []);
  });

  it('is written again for a member that is restarted meanwhile', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b']);
    const before = await readCluster(etcd);
    await fleet.stop('a');
    await etcd.ask('kv/put', { key: clusterKey, value: encode(`${Date.now()}-another`) });
    await fleet.start('a');
    await fleet.isWhole();
    assert.equal(await readCluster(etcd), before);
    assert.deepEqual([...fleet.doubled], []);
  });

  it('is written again when it was the entry of a member, or no lease holds it any more', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b']);
    const shard = listShards().find((each) => fleet.members.get('a')!.shards.owns(each))!;
    await etcd.ask('kv/deleterange', { key: encode('/waywiser/members/a') });
    await until(() => fleet.members.get('b')!.shards.fleet!.members.has('a'));
    await fleet.isWhole();
    await etcd.ask('kv/put', { key: encode('/waywiser/members/a'), value: encode('{"weight":0}') });
    await etcd.ask('kv/put', { key: encode(`/waywiser/shards/${shard}`), value: encode('{"member":"z"}') });
    await until(() => !fleet.members.get('b')!.shards.fleet!.members.has('a'));
    await until(() => fleet.members.get('b')!.shards.fleet!.members.has('a'));
    await fleet.isWhole();
    await until(() => fleet.members.get('a')!.shards.owns(shard));
    assert.deepEqual([...fleet.doubled], []);
  });
});

describe('all data of etcd that is lost', { skip: noEtcd }, () => {
  it('ends polling for one lease: the members agree to use the empty etcd', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b', 'c']);
    const epochs = listShards().map((shard) =>
      Math.max(
        ...[...fleet.members.values()].map(({ shards }) => (shards.owns(shard) ? shards.epochOf(shard)! : 0)),
      ),
    );
    // So many revisions that a new store begins below.
    for (let i = 0; i < 50; i++) await etcd.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    await etcd.beginAnew();
    await until(() => fleet.owned().every((owned) => owned === 0));
    await fleet.isWhole();
    for (const { shards } of fleet.members.values())
      for (const shard of listShards())
        if (shards.owns(shard)) assert.ok(shards.epochOf(shard)! > epochs[shard]!);
    assert.deepEqual([...fleet.doubled], []);
    // Nobody has to be told about it later, either.
    await fleet.stop('a');
    await fleet.start('a');
    await fleet.isWhole();
  });

  it('is the same when only the keys of the fleet were deleted', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b']);
    const before = await readCluster(etcd);
    await fleet.members.get('a')!.shards.fleet!.share('devices/x', '1');
    await etcd.ask('kv/deleterange', { key: encode('/waywiser/'), range_end: encode('/waywiser0') });
    await until(async () => ![undefined, before].includes(await readCluster(etcd)));
    await fleet.isWhole();
    assert.deepEqual([...fleet.doubled], []);
  });

  it('keeps one member of three from polling until a second one comes, which may be restarted', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b', 'c']);
    await etcd.stop();
    await fleet.stop('b');
    await fleet.stop('c');
    await etcd.beginAnew();
    const alone = fleet.members.get('a')!;
    await until(() => alone.shards.fleet!.status().degraded?.includes('1 of the 3 members') === true);
    assert.match(fleet.log(), /CLUSTER_CHANGED/);
    assert.equal(alone.owned(), 0);
    assert.match(alone.shards.fleet!.status().notReady ?? '', /owns no devices: .*other data/);
    await fleet.start('b');
    await fleet.isWhole();
    await fleet.start('c');
    await fleet.isWhole();
    assert.deepEqual([...fleet.doubled], []);
  });

  it('is not replaced by another etcd that a minority reaches', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b']);
    const other = await EtcdServer.start(t);
    const link = await EtcdLink.start(t, etcd.url);
    await fleet.start('c', { url: link.url });
    await fleet.isWhole();
    link.lead(other.url);
    const lost = fleet.members.get('c')!;
    await until(() => lost.shards.fleet!.status().degraded?.includes('1 of the 3 members') === true);
    await until(
      () => ['a', 'b'].reduce((sum, name) => sum + fleet.members.get(name)!.owned(), 0) === shardCount,
    );
    assert.equal(lost.owned(), 0);
    link.lead(etcd.url);
    await fleet.isWhole();
    assert.deepEqual([...fleet.doubled], []);
  });

  it('is never replaced by a backup, even if all members agree', async (t) => {
    const { etcd, fleet } = await startFleet(t, ['a', 'b']);
    await etcd.backUp();
    await fleet.isWhole();
    for (let i = 0; i < 50; i++) await etcd.ask('kv/put', { key: 'YQ==', value: 'YQ==' });
    await fleet.members.get('a')!.shards.fleet!.share('a', 'b');
    await until(() =>
      [...fleet.members.values()].every(({ shards }) => shards.fleet!.shared.get('a') === 'b'),
    );
    await etcd.restore();
    const isBackup = ({ shards }: { shards: typeof first }) =>
      shards.fleet!.status().degraded?.includes('a backup') === true;
    const first = fleet.members.get('a')!.shards;
    await until(() => [...fleet.members.values()].every(isBackup));
    assert.deepEqual(fleet.owned(), [0, 0]);
    for (const name of ['a', 'b']) {
      await fleet.stop(name);
      await fleet.start(name, { accept_new_cluster: true });
    }
    await fleet.isWhole();
    assert.deepEqual([...fleet.doubled], []);
  });
});

describe('a connection to etcd that dies in silence', { skip: noEtcd }, () => {
  it('does not hold up a member that reaches etcd again', async (t) => {
    const etcd = await EtcdServer.start(t);
    const links = { a: await EtcdLink.start(t, etcd.url), b: await EtcdLink.start(t, etcd.url) };
    const fleet = new Fleet(t, etcd.url);
    for (const [name, { url }] of Object.entries(links)) await fleet.start(name, { url });
    await fleet.isWhole();
    for (const link of Object.values(links)) link.cut();
    await until(() => fleet.owned().every((owned) => owned === 0));
    // Their leases end, and with them all claims that they know.
    await until(async () => !(await etcd.readAll()).includes('/waywiser/members/'));
    for (const link of Object.values(links)) link.connect({ newOnly: true });
    await fleet.isWhole();
    assert.deepEqual([...fleet.doubled], []);
  });
});

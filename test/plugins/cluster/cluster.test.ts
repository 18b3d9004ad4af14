import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EtcdCoordinator } from '../../../plugins/cluster/etcd/etcd-coordinator.ts';
import cluster from '../../../plugins/cluster/index.ts';
import { shardCount, shardsToken } from '../../../src/sharding/index.ts';
import { checkCoordinator } from '../../../src/testing/index.ts';
import { onlyLong } from '../../support/long-run.ts';
import { until } from '../../support/until.ts';
import { startPolling } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { AskedDevices } from './support/asked-devices.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';

const everyMs = 1_000;

/** Devices that are polled every second, and members that share them. */
async function startFleet(t: TestContext, etcd: EtcdServer, count: number) {
  const devices = await AskedDevices.start(t, count);
  const folder = new DefinitionFolder(t, {
    'devices/all.yml': devices.toYaml(),
  });
  const add = async (name: string, options: object = {}) => {
    const member = await startPolling(t, folder, {
      client: { sockets: 1 },
      more: [
        {
          plugin: cluster,
          options: {
            name,
            etcd: { endpoints: [etcd.url] },
            lease_seconds: 10,
            moves_per_second: 1024,
            ...options,
          },
        },
      ],
    });
    const shards = member.collector.getService(shardsToken);
    return { ...member, name, shards, owned: () => shards.fleet!.status().ownedShards };
  };
  return { devices, add };
}

describe('a cluster on etcd', { skip: noEtcd }, () => {
  it('keeps the contract of coordinators', async (t) => {
    const etcd = await EtcdServer.start(t);
    const options = { endpoints: [etcd.url], tls: {}, timeoutMs: 5_000 };
    await checkCoordinator({
      connect: () => new EtcdCoordinator(options, '/check', assert.ifError),
      leaseMs: 2_000,
      reportWithinMs: 10_000,
    });
  });

  it('shares devices between members that join and leave, and never asks one twice', {
    skip: onlyLong,
  }, async (t) => {
    const etcd = await EtcdServer.start(t);
    const { devices, add } = await startFleet(t, etcd, 30);
    const one = await add('one');
    await until(() => one.owned() === shardCount);
    await until(() => [...devices.asked.values()].every((asked) => asked.length > 10));
    const two = await add('two');
    await until(() => one.owned() + two.owned() === shardCount && two.owned() > 300);
    const joinedMs = performance.now();
    const askers = () => new Set(devices.since(joinedMs).map(({ from }) => from));
    await until(() => askers().size > 1);
    await two.collector.stop();
    const epochs = new Set([one, two].flatMap(({ output }) => output.batches.map(({ epoch }) => epoch)));
    assert.ok(epochs.size > 1 && !epochs.has(undefined), 'batches carry the epochs of their owners');
    await until(() => one.owned() === shardCount);
    const leftMs = performance.now();
    await until(() => [...devices.asked.values()].every((asked) => asked.at(-1)!.atMs > leftMs));
    assert.deepEqual(devices.findDoubled(everyMs, joinedMs), []);
    await one.discovered();
    assert.equal(one.discovery.runs.length, 30, 'devices that come back bring their inventories');
  });
});

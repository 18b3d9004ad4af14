import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import cluster from '../../../plugins/cluster/index.ts';
import httpApi from '../../../plugins/http-api/index.ts';
import { shardCount, shardOf, shardsToken } from '../../../src/internal.ts';
import { findFreePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { startPolling } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { AskedDevices } from './support/asked-devices.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';

const token = 'a-token-of-members-0123456789';

describe('a cluster behind one address', { skip: noEtcd }, () => {
  it('answers about each device with what its owner knows', async (t) => {
    const etcd = await EtcdServer.start(t);
    const devices = await AskedDevices.start(t, 8);
    const folder = new DefinitionFolder(t, { 'devices/all.yml': devices.toYaml() });
    const add = async (name: string, own = token) => {
      const url = `http://127.0.0.1:${await findFreePort()}`;
      const options = {
        name,
        advertise: url,
        token: '${env:CLUSTER_TOKEN}',
        etcd: { endpoints: [etcd.url] },
      };
      const tokens = [{ name: 'none', role: 'read', sha256: '0'.repeat(64) }];
      const member = await startPolling(t, folder, {
        env: { CLUSTER_TOKEN: own },
        more: [
          { plugin: cluster, options },
          { plugin: httpApi, options: { port: Number(new URL(url).port), tokens } },
        ],
      });
      const fleet = member.collector.getService(shardsToken).fleet!;
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(`${url}/api/v1${path}`, {
          ...init,
          headers: { ...init.headers, authorization: `Bearer ${own}` },
        });
      return { ...member, fleet, ask, url, owned: () => fleet.status().ownedShards };
    };
    const one = await add('one');
    await until(() => one.owned() === shardCount);
    const two = await add('two');
    await until(() => one.owned() + two.owned() === shardCount && two.owned() > 300);
    await until(() => [...devices.asked.values()].every((asked) => asked.length > 10));
    const port = devices.ports.find(
      (each) => one.fleet.ownerOf(shardOf({ ip: '127.0.0.1', port: each })) === 'two',
    )!;
    assert.ok(port, 'of eight devices one belongs to the second member');
    const path = `/snmp/devices/127.0.0.1/${port}`;

    const answer = await one.ask(path);
    assert.deepEqual([answer.status, answer.headers.get('waywiser-member')], [200, 'two']);
    assert.equal(((await answer.json()) as { state: string }).state, 'up');
    const alone = await one.ask(`${path}?scope=member`);
    assert.equal(alone.headers.get('waywiser-member'), null);
    assert.notEqual(((await alone.json()) as { state: string }).state, 'up');

    const asked = await one.ask('/snmp/rediscover-device?wait=true', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ip: '127.0.0.1', port }),
    });
    const { discovery } = (await asked.json()) as { discovery: { id: string; state: string } };
    assert.equal(discovery.state, 'completed');
    assert.ok(two.discovery.findRun(discovery.id) && !one.discovery.findRun(discovery.id));

    const { members } = (await (await one.ask('/cluster')).json()) as {
      members: { name: string; devices: number }[];
    };
    assert.deepEqual(
      members.map(({ name }) => name),
      ['one', 'two'],
    );
    assert.equal(members[0]!.devices + members[1]!.devices, 8);
    assert.match(
      await (await fetch(`${one.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text(),
      /waywiser_cluster_members 2/,
    );
    const stranger = await fetch(`${one.url}/api/v1/cluster`, {
      headers: { authorization: 'Bearer another' },
    });
    assert.equal(stranger.status, 401);
    assert.ok(!(await etcd.readAll()).includes(token), 'etcd holds no secret');
    assert.ok(!(await etcd.readAll()).includes('public'), 'etcd holds no community');
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shardCount } from '../../../src/internal.ts';
import { onlyLong } from '../../support/long-run.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { AskedDevices } from './support/asked-devices.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';
import { MemberChild } from './support/member-child.ts';

const everyMs = 1_000;
const count = 60;

async function startFleet(t: TestContext, names: readonly string[], onOutage = 'stop') {
  const etcd = await EtcdServer.start(t);
  const devices = await AskedDevices.start(t, count);
  const folder = new DefinitionFolder(t, { 'devices/all.yml': devices.toYaml() });
  const members = names.map(
    (name) => new MemberChild(t, { name, definitions: folder.path, etcd: etcd.url, onOutage }),
  );
  await waitFor(
    () => members.reduce((sum, { owned }) => sum + owned, 0) === shardCount,
    'all shards are owned',
  );
  await allAsked(devices);
  return { etcd, devices, members };
}

async function waitFor(isTrue: () => boolean, what: string): Promise<void> {
  for (let i = 0; !isTrue(); i++) {
    assert.ok(i < 1_200, `not within two minutes: ${what}`);
    await sleep(100);
  }
}

/** Every device was asked again from now on. */
async function allAsked(devices: AskedDevices): Promise<void> {
  const sinceMs = performance.now();
  const wereAsked = () => [...devices.asked.values()].every((asked) => (asked.at(-1)?.atMs ?? 0) > sinceMs);
  await waitFor(wereAsked, 'every device is asked');
}

describe('a fleet with faults', { skip: noEtcd || onlyLong }, () => {
  it('takes over the devices of a killed member, and asks none twice', async (t) => {
    const { devices, members } = await startFleet(t, ['a', 'b', 'c']);
    const begunMs = performance.now();
    await members[0]!.end('SIGKILL');
    await waitFor(() => members[1]!.owned + members[2]!.owned === shardCount, 'the others take over');
    await allAsked(devices);
    t.diagnostic(`longest gap ${Math.round(devices.longestGapMs(begunMs))} ms`);
    assert.deepEqual(devices.findDoubled(everyMs, begunMs), []);
  });

  it('hands everything over when a member ends', async (t) => {
    const { devices, members } = await startFleet(t, ['a', 'b']);
    const begunMs = performance.now();
    await members[0]!.end('SIGTERM');
    await waitFor(() => members[1]!.owned === shardCount, 'the other takes over');
    await allAsked(devices);
    t.diagnostic(`longest gap ${Math.round(devices.longestGapMs(begunMs))} ms`);
    assert.deepEqual(devices.findDoubled(everyMs, begunMs), []);
  });

  it('gets not one packet from a member that was suspended beyond its lease', async (t) => {
    const { devices, members } = await startFleet(t, ['a', 'b']);
    const begunMs = performance.now();
    const [first, second] = members;
    first!.child.kill('SIGSTOP');
    await waitFor(() => second!.owned === shardCount, 'the other takes over');
    await sleep(5_000);
    first!.child.kill('SIGCONT');
    await waitFor(
      () => first!.owned > 300 && first!.owned + second!.owned === shardCount,
      'both own shards again',
    );
    await allAsked(devices);
    assert.deepEqual(devices.findDoubled(everyMs, begunMs), []);
  });

  for (const onOutage of ['stop', 'keep']) {
    it(`obeys on_outage: ${onOutage} while etcd is down, and needs no restart`, async (t) => {
      const { etcd, devices, members } = await startFleet(t, ['a', 'b'], onOutage);
      const begunMs = performance.now();
      await etcd.stop();
      await sleep(12_000);
      const silentMs = performance.now() - 4_000;
      if (onOutage === 'stop') assert.deepEqual(devices.since(silentMs), []);
      else assert.ok(devices.since(silentMs).length > count);
      await etcd.begin();
      await waitFor(() => members[0]!.owned + members[1]!.owned === shardCount, 'all shards are owned');
      await allAsked(devices);
      assert.deepEqual(devices.findDoubled(everyMs, begunMs), []);
    });
  }
});

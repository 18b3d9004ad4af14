import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shardCount } from '../../../src/sharding/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { countedPerSecond } from './support/asked-devices.ts';
import { countedDefinitions, countedRateOf } from './support/counted-devices.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';
import { MemberChild } from './support/member-child.ts';
import { allOwned, Ending, type FleetMember, TestFleet } from './support/start-fleet.ts';

const count = 8;
/** The rates of a device in the order of its polls, or the reasons why there are none. */
function ratesOf(members: readonly FleetMember[], port: number): (number | string | undefined)[] {
  return members
    .flatMap(({ output }) => output.batches)
    .filter(({ device, record }) => device.port === port && record === 'SNMPv2-MIB::system')
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(countedRateOf);
}

describe('rates while devices move between members', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let folder: DefinitionFolder;
  let one: FleetMember;
  let two: FleetMember;

  const add = (name: string) => fleet.add(name, { folder, poller: { counters: { rate: true } } });
  const pollsOf = ({ output }: FleetMember, port: number) =>
    output.batches.filter(({ device }) => device.port === port).length;

  before(async () => {
    fleet = await TestFleet.start(ending, count);
    folder = new DefinitionFolder(ending as never, {
      'devices/all.yml': fleet.devices.toYaml(),
      ...countedDefinitions,
    });
    one = await add('one');
    await until(() => fleet.devices.ports.every((port) => pollsOf(one, port) > 2));
  });
  after(() => ending.end());

  it('have no gap and no spike when a member joins, and when it leaves', async () => {
    two = await add('two');
    await allOwned([one, two]);
    const moved = fleet.devices.ports.filter((port) => two.owns(port));
    assert.ok(moved.length > 0);
    await until(() => moved.every((port) => pollsOf(two, port) > 2));
    const polls = moved.map((port) => pollsOf(one, port));
    await two.collector.stop();
    await until(() => one.owned() === shardCount);
    await until(() => moved.every((port, i) => pollsOf(one, port) > polls[i]! + 2));
    for (const port of moved) {
      const [first, ...others] = ratesOf([one, two], port);
      assert.equal(first, 'unseeded');
      assert.deepEqual([...new Set(others)], [countedPerSecond]);
    }
  });

  it('begin anew with the gap unseeded after the death of a member', { timeout: 120_000 }, async () => {
    const names = ['a', 'b'];
    const etcd = await EtcdServer.start(ending);
    const [a, b] = names.map(
      (name) =>
        new MemberChild(ending, {
          name,
          definitions: folder.path,
          etcd: etcd.url,
          leaseSeconds: 3,
          rates: true,
        }),
    );
    const seen = new Map<number, (number | string | undefined)[]>();
    b!.onReport(({ rates = [] }) => {
      for (const [port, rate] of rates) seen.set(port, [...(seen.get(port) ?? []), rate]);
    });
    await waitFor(() => a!.owned > 300 && a!.owned + b!.owned === shardCount);
    await waitFor(() => a!.polls > 5 * count);
    const own = new Set(seen.keys());
    await a!.end('SIGKILL');
    const taken = fleet.devices.ports.filter((port) => !own.has(port));
    assert.ok(taken.length > 0, 'the killed member had devices');
    await waitFor(() => taken.every((port) => (seen.get(port)?.length ?? 0) > 2));
    for (const port of taken) {
      const [first, ...others] = seen.get(port)!;
      assert.equal(first, 'unseeded');
      assert.deepEqual([...new Set(others)], [countedPerSecond]);
    }
  });
});

/** Longer than `until` waits: processes start, and a lease ends. */
async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}

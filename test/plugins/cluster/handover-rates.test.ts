import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Batch, gapAt, valueAt } from '../../../src/index.ts';
import { shardCount } from '../../../src/internal.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { countedPerSecond } from './support/asked-devices.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, Ending, type FleetMember, TestFleet } from './support/start-fleet.ts';

const count = 8;
const counted = {
  'objects/system.yml': `${smallDefinitions['objects/system.yml']}    counted: { oid: .1.3.6.1.2.1.1.99, name: system.counted, syntax: Integer, metric: counter }\n`,
};

/** The rates of a device in the order of its polls, or the reasons why there are none. */
function ratesOf(members: readonly FleetMember[], port: number): (number | string | undefined)[] {
  return members
    .flatMap(({ output }) => output.batches)
    .filter(({ device, record }) => device.port === port && record === 'SNMPv2-MIB::system')
    .sort((a, b) => a.timeMs - b.timeMs)
    .map(rateOf);
}

function rateOf({ columns }: Batch): number | string | undefined {
  const rate = columns.find(({ field }) => field === 'system.counted_rate')!;
  return (valueAt(rate, 0) as number | undefined) ?? gapAt(rate, 0);
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
    folder = new DefinitionFolder(ending as never, { 'devices/all.yml': fleet.devices.toYaml(), ...counted });
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
});

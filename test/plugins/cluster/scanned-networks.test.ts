import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import networkDiscovery from '../../../plugins/network-discovery/index.ts';
import { shardCount, shardOfTask } from '../../../src/sharding/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, Ending, type FleetMember, TestFleet } from './support/start-fleet.ts';

interface Scan {
  readonly id: string;
  readonly networks: readonly string[];
  readonly addresses: number;
  readonly answered: number;
  readonly found: number;
}

interface Begun {
  readonly joined: boolean;
  readonly scan: Scan;
  readonly unowned?: readonly string[];
  readonly silentMembers?: readonly { readonly name: string; readonly reason: string }[];
}

interface Scans {
  readonly running?: Scan;
  readonly last?: Scan;
  readonly nextAt?: string;
}

const names = Array.from({ length: 8 }, (_, i) => `lab-${i}`);
/** Nobody answers there, and a scan of it takes minutes. */
const slowName = 'slow';

describe('networks of a cluster', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let folder: DefinitionFolder;
  let one: FleetMember;
  let two: FleetMember;
  /** By network: who has begun a scan of it. */
  const begun: { readonly member: string; readonly id: string; readonly networks: readonly string[] }[] = [];

  const add = async (name: string) => {
    const options = { at_start: false, packets_per_second: 50, max_in_flight: 1 };
    const member = await fleet.add(name, { folder, more: [{ plugin: networkDiscovery, options }] });
    member.collector.events.on(
      'scan.started',
      ({ id, networks }) => void begun.push({ member: name, id, networks }),
    );
    return member;
  };
  const ownerOf = (network: string) => (one.shards.owns(shardOfTask(`scan ${network}`)) ? 'one' : 'two');
  const entryOf = (name: string, network: string, port: number) =>
    `${name}: { networks: [${network}], port: ${port}, credentials: [{ version: 2c, community: public }], device_groups: [plain], timeout: 300 }\n`;
  const networksFile = () => names.map((name) => entryOf(name, '127.0.0.1/32', portOf(name))).join('');
  const portOf = (network: string) => fleet.devices.ports[names.indexOf(network)]!;
  const scan = async (member: FleetMember, query = '') => {
    const answer = await member.post(`/snmp/scan-networks${query}`);
    const body = (await answer.json()) as Begun & { readonly code?: string };
    return { status: answer.status, ...body };
  };
  const ended = async (id: string) => {
    await until(async () => (await two.read<Scans>('/snmp/network-scans')).last?.id === id);
    return (await two.read<Scans>('/snmp/network-scans')).last!;
  };

  before(async () => {
    fleet = await TestFleet.start(ending, names.length);
    folder = new DefinitionFolder(ending as never, {
      'devices/all.yml': '',
      'autodiscover/networks.yml': networksFile(),
    });
    [one, two] = await Promise.all([add('one'), add('two')]);
    await allOwned([one, two]);
  });
  after(() => ending.end());

  it('are scanned by their owners when a person asks any member for one of them', async () => {
    for (const network of [
      names.find((name) => ownerOf(name) === 'one')!,
      names.find((name) => ownerOf(name) === 'two')!,
    ]) {
      begun.length = 0;
      const { status, joined, scan: asked, unowned, silentMembers } = await scan(two, `?network=${network}`);
      assert.deepEqual(
        [status, joined, asked.networks, unowned, silentMembers],
        [202, false, [network], undefined, undefined],
      );
      const last = await ended(asked.id);
      assert.deepEqual([last.networks, last.addresses, last.answered], [[network], 1, 1]);
      assert.deepEqual(begun, [{ member: ownerOf(network), id: asked.id, networks: [network] }]);
    }
  });

  it('are refused by a member that does not own them, when it alone is asked', async () => {
    const network = names.find((name) => ownerOf(name) === 'one')!;
    begun.length = 0;
    const { status, code } = await scan(two, `?network=${network}&scope=member`);
    assert.deepEqual([status, code], [503, 'SCAN_NOT_OWNED']);
    assert.deepEqual(begun, []);
  });

  it('are each asked by one member in a scan of all, which has one id and one sum', async () => {
    for (const name of names) one.registry.removeFound('127.0.0.1', portOf(name), 'a test');
    await until(() =>
      names.every((name) => two.registry.findDevice('127.0.0.1', portOf(name)) === undefined),
    );
    begun.length = 0;
    const sinceMs = performance.now();
    const asked = await scan(one);
    assert.deepEqual(
      [asked.status, asked.joined, [...asked.scan.networks].sort(), asked.unowned],
      [202, false, names, undefined],
    );
    const last = await ended(asked.scan.id);
    assert.deepEqual(
      [[...last.networks].sort(), last.addresses, last.answered, last.found],
      [names, 8, 8, 8],
    );
    assert.deepEqual(
      begun.map(({ id }) => id),
      [last.id, last.id],
    );
    // The first question to a device that nobody knew is that of the scan.
    const askers = new Map<string, Set<number>>([
      ['one', new Set()],
      ['two', new Set()],
    ]);
    for (const name of names) {
      const first = fleet.devices.asked.get(portOf(name))!.find(({ atMs }) => atMs > sinceMs)!;
      askers.get(ownerOf(name))!.add(first.from);
    }
    const [ofOne, ofTwo] = [...askers.values()].map((ports) => [...ports]);
    assert.deepEqual([ofOne!.length, ofTwo!.length], [1, 1]);
    assert.notEqual(ofOne![0], ofTwo![0]);
    assert.ok(Date.parse((await one.read<Scans>('/snmp/network-scans')).nextAt!) > Date.now());
  });

  it('move with a scan that has begun: the next owner continues it under the same id', async () => {
    folder.write('autodiscover/networks.yml', `${networksFile()}${entryOf(slowName, '127.9.0.0/22', 9)}`);
    begun.length = 0;
    assert.equal((await one.post('/snmp/apply-definitions')).status, 200);
    await until(() => begun.some(({ networks }) => networks.includes(slowName)));
    const [{ id, member }] = begun.filter(({ networks }) => networks.includes(slowName)) as [
      (typeof begun)[number],
    ];
    const [leaving, staying] = member === 'one' ? [one, two] : [two, one];
    await leaving.collector.stop();
    await until(() => staying.owned() === shardCount);
    await until(() => begun.some((each) => each.member === staying.name && each.id === id));
    assert.deepEqual((await staying.read<Scans>('/snmp/network-scans')).running?.networks, [slowName]);
  });
});

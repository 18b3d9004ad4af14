import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { shardOf } from '../../../src/internal.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, Ending, type FleetMember, memberToken, TestFleet } from './support/start-fleet.ts';

const count = 16;

interface DeviceList {
  readonly devices: readonly { readonly name: string; readonly state: string; readonly port: number }[];
  readonly total: number;
  readonly next?: string;
  readonly silentMembers?: readonly { readonly name: string; readonly reason: string }[];
}

describe('a cluster behind one address', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let folder: DefinitionFolder;
  let one: FleetMember;
  let two: FleetMember;
  let portOfTwo: number;

  before(async () => {
    fleet = await TestFleet.start(ending, count);
    folder = new DefinitionFolder(ending as never, { 'devices/all.yml': fleet.devices.toYaml() });
    one = await fleet.add('one', { folder });
    await until(() => one.owned() === 1024);
    two = await fleet.add('two', { folder });
    await allOwned([one, two]);
    portOfTwo = fleet.devices.ports.find((port) => two.owns(port))!;
    await until(() =>
      fleet.devices.ports.every((port) =>
        [one, two].some(({ owns, registry }) => {
          return owns(port) && registry.findDevice('127.0.0.1', port)!.status.state === 'up';
        }),
      ),
    );
  });
  after(() => ending.end());

  it('answers about a device with what its owner knows', async () => {
    const path = `/snmp/devices/127.0.0.1/${portOfTwo}`;
    const answer = await one.ask(path);
    assert.deepEqual([answer.status, answer.headers.get('waywiser-member')], [200, 'two']);
    assert.equal(((await answer.json()) as { state: string }).state, 'up');
    const alone = await one.ask(`${path}?scope=member`);
    assert.equal(alone.headers.get('waywiser-member'), null);
    assert.notEqual(((await alone.json()) as { state: string }).state, 'up');
  });

  it('lets the owner rediscover a device', async () => {
    const asked = await one.post('/snmp/rediscover-device?wait=true', { ip: '127.0.0.1', port: portOfTwo });
    const { discovery } = (await asked.json()) as { discovery: { id: string; state: string } };
    assert.equal(discovery.state, 'completed');
    assert.ok(two.discovery.findRun(discovery.id) && !one.discovery.findRun(discovery.id));
  });

  it('lists every device once, with the state that its owner knows, on whichever member is asked', async () => {
    const names = Array.from({ length: count }, (_, i) => `d${i}`).sort();
    for (const member of [one, two]) {
      const list = await member.read<DeviceList>('/snmp/devices');
      assert.deepEqual(
        list.devices.map(({ name }) => name),
        names,
      );
      assert.ok(list.devices.every(({ state }) => state === 'up'));
      assert.deepEqual([list.total, list.next, list.silentMembers], [count, undefined, undefined]);
    }
  });

  it('reads a list page by page over all members', async () => {
    const names: string[] = [];
    let cursor = '';
    for (let pages = 1; ; pages++) {
      const page = await one.read<DeviceList>(`/snmp/devices?state=up&limit=5${cursor}`);
      names.push(...page.devices.map(({ name }) => name));
      assert.equal(page.total, count);
      if (page.next === undefined) {
        assert.equal(pages, 4);
        break;
      }
      cursor = `&cursor=${page.next}`;
    }
    assert.deepEqual(names, Array.from({ length: count }, (_, i) => `d${i}`).sort());
  });

  it('lists the devices of one member with ?scope=member', async () => {
    const lists = await Promise.all(
      [one, two].map(({ read }) => read<DeviceList>('/snmp/devices?scope=member')),
    );
    for (const [i, { devices }] of lists.entries()) {
      assert.ok(devices.length > 0);
      assert.ok(devices.every(({ port }) => [one, two][i]!.owns(port)));
    }
    assert.equal(lists[0]!.total + lists[1]!.total, count);
  });

  it('adds and joins what the members counted', async () => {
    const paths = ['/snmp/polling', '/snmp/discoveries', '/snmp/slowest?limit=1000', '/snmp/uncollected'];
    for (const path of paths) assert.equal((await one.ask(path)).status, 200, path);
    // A device has something to poll after its first discovery.
    await until(async () => (await one.read<{ devices: number }>('/snmp/polling')).devices === count);
    const slowest = '/snmp/slowest?limit=1000';
    await until(async () => {
      const { devices } = await two.read<{ devices: { device: { name: string } }[] }>(slowest);
      return new Set(devices.map(({ device }) => device.name)).size === count;
    });
    const own = await one.read<{ total: number }>('/snmp/discoveries?scope=member');
    const all = await one.read<{ total: number }>('/snmp/discoveries');
    assert.ok(own.total < all.total);
  });

  it('says who owns what', async () => {
    const { members } = await one.read<{ members: { name: string; devices: number }[] }>('/cluster');
    assert.deepEqual(
      members.map(({ name }) => name),
      ['one', 'two'],
    );
    assert.equal(members[0]!.devices + members[1]!.devices, count);
    const headers = { authorization: `Bearer ${memberToken}` };
    assert.match(await (await fetch(`${one.url}/metrics`, { headers })).text(), /waywiser_cluster_members 2/);
  });

  it('refuses a stranger, and keeps no secret in etcd', async () => {
    const headers = { authorization: 'Bearer another' };
    assert.equal((await fetch(`${one.url}/api/v1/cluster`, { headers })).status, 401);
    const text = await fleet.etcd.readAll();
    assert.ok(!text.includes(memberToken) && !text.includes('public'));
  });

  it('keeps a cursor valid while devices move, and names a member that does not answer', async () => {
    const first = await one.read<DeviceList>('/snmp/devices?limit=6');
    const three = await fleet.add('three', { folder, token: 'another-token-of-members-01234' });
    await allOwned([one, two, three]);
    const rest = await one.read<DeviceList>(`/snmp/devices?cursor=${first.next}`);
    const silent = rest.silentMembers ?? [];
    assert.deepEqual(
      silent.map(({ name }) => name),
      ['three'],
    );
    assert.match(silent[0]!.reason, /401/);
    const expected = fleet.devices.ports
      .map((port, i) => ({ name: `d${i}`, isKnown: !three.owns(port) }))
      .filter(({ name, isKnown }) => isKnown && name > first.devices.at(-1)!.name)
      .map(({ name }) => name)
      .sort();
    assert.deepEqual(
      rest.devices.map(({ name }) => name),
      expected,
    );
    const port = fleet.devices.ports.find((each) => three.owns(each));
    if (port !== undefined) assert.equal((await one.ask(`/snmp/devices/127.0.0.1/${port}`)).status, 401);
    await three.collector.stop();
    await allOwned([one, two]);
    assert.equal(one.fleet.ownerOf(shardOf({ ip: '127.0.0.1', port: portOfTwo })), 'two');
    assert.equal((await one.read<DeviceList>('/snmp/devices')).total, count);
  });
});

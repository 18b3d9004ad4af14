import assert from 'node:assert/strict';
import { env } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { shardCount } from '../../../src/sharding/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, Ending, type FleetMember, TestFleet } from './support/start-fleet.ts';

describe('devices that are added to a cluster', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let folder: DefinitionFolder;
  let one: FleetMember;
  let two: FleetMember;
  let portOfTwo: number;
  let stateOfOne: string;

  const bodyOf = (port: number) => ({
    name: `added-${port}`,
    ip: '127.0.0.1',
    port,
    version: '2c',
    communities: ['${env:WAYWISER_TEST_COMMUNITY}'],
    device_groups: ['plain'],
    timeout: 300,
    retries: 1,
    poll_interval: 1,
  });
  /** From whom a device was asked last. */
  const askerOf = (port: number) => fleet.devices.asked.get(port)!.at(-1)?.from;
  const addOne = () => fleet.add('one', { folder, stateDirectory: stateOfOne });

  before(async () => {
    env['WAYWISER_TEST_COMMUNITY'] = 'public';
    ending.after(() => delete env['WAYWISER_TEST_COMMUNITY']);
    fleet = await TestFleet.start(ending, 12);
    stateOfOne = temporaryFolder(ending as never);
    const networks =
      'lab: { networks: [127.0.0.1/32], port: PORT, credentials: [{ version: 2c, community: public }], device_groups: [plain] }\n';
    folder = new DefinitionFolder(ending as never, {
      'devices/all.yml': '',
      'autodiscover/networks.yml': networks.replace('PORT', String(fleet.devices.ports[0])),
    });
    [one, two] = await Promise.all([addOne(), fleet.add('two', { folder })]);
    await allOwned([one, two]);
    portOfTwo = fleet.devices.ports.slice(1).find((port) => two.owns(port))!;
  });
  after(() => ending.end());

  it('are known to all members when the request is answered, and polled by their owner alone', async () => {
    const port = portOfTwo;
    const added = two.next('device.added');
    assert.equal((await one.post('/snmp/devices', bodyOf(port))).status, 201);
    assert.equal((await added).cause, 'the API');
    await until(() => two.registry.findDevice('127.0.0.1', port) !== undefined);
    await until(() => fleet.devices.asked.get(port)!.length > 4);
    const state = await one.read<{ state: string }>(`/snmp/devices/127.0.0.1/${port}`);
    assert.equal(state.state, 'up');
    const askers = new Set(fleet.devices.asked.get(port)!.map(({ from }) => from));
    assert.equal(askers.size, 1);
    const portOfOne = fleet.devices.ports.slice(1).find((each) => one.owns(each))!;
    assert.equal((await one.post('/snmp/devices', bodyOf(portOfOne))).status, 201);
    await until(() => fleet.devices.asked.get(portOfOne)!.length > 2);
    assert.notEqual(askerOf(portOfOne), askerOf(port));
  });

  it('are in etcd with references to their secrets only', async () => {
    const text = await fleet.etcd.readAll();
    assert.match(text, new RegExp(`devices/api/127.0.0.1 ${portOfTwo}`));
    assert.match(text, /\$\{env:WAYWISER_TEST_COMMUNITY\}/);
    assert.doesNotMatch(text, /"public"/);
  });

  it('are shared when a scan finds them', async () => {
    const port = fleet.devices.ports[0]!;
    const [owner, other] = two.owns(port) ? [two, one] : [one, two];
    const added = owner.next('device.added');
    other.registry.putFound({ ip: '127.0.0.1', port, name: 'found', network: 'lab', credential: 0 });
    await until(() => owner.registry.findDevice('127.0.0.1', port)?.source === 'networks');
    assert.equal((await added).cause, 'a scan of the network lab');
    await until(() => fleet.devices.asked.get(port)!.length > 0);
    assert.doesNotMatch(await fleet.etcd.readAll(), /"public"/);
    owner.registry.removeFound('127.0.0.1', port, 'the test');
    await until(() => other.registry.findDevice('127.0.0.1', port) === undefined);
  });

  it('stay when the member that was asked ends, and what others did meanwhile counts when it is back', async () => {
    await one.collector.stop();
    await until(() => two.owned() === shardCount);
    const asked = fleet.devices.asked.get(portOfTwo)!;
    const before = asked.length;
    await until(() => asked.length > before + 1);
    assert.equal((await two.post(`/snmp/devices/127.0.0.1/${portOfTwo}`, undefined, 'DELETE')).status, 204);
    one = await addOne();
    assert.ok(one.registry.findDevice('127.0.0.1', portOfTwo), 'its state directory still has the device');
    await until(() => one.registry.findDevice('127.0.0.1', portOfTwo) === undefined);
    assert.equal(two.registry.findDevice('127.0.0.1', portOfTwo), undefined);
    assert.equal([...one.registry.devices()].length, 1);
  });
});

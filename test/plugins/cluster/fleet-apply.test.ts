import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { until } from '../../support/until.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, Ending, type FleetMember, TestFleet } from './support/start-fleet.ts';

const system = 'objects/system.yml';
const encode = (text: string) => Buffer.from(text).toString('base64');
const changed = `${smallDefinitions[system]}    sysName: { oid: .1.3.6.1.2.1.1.5, name: system.name, syntax: DisplayString, tag: true }\n`;

interface Applied {
  readonly generation: number;
  readonly members: readonly { readonly name: string; readonly generation?: number }[];
}

describe('apply-definitions in a cluster', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let one: FleetMember;
  let two: FleetMember;
  let folderOfOne: DefinitionFolder;
  const newFolder = () =>
    new DefinitionFolder(ending as never, { 'devices/all.yml': fleet.devices.toYaml() });
  const hasName = ({ definitions }: FleetMember) =>
    definitions.current.findObject('SNMPv2-MIB::system')!.definition.attributes.has('sysName');

  before(async () => {
    fleet = await TestFleet.start(ending, 6);
    folderOfOne = newFolder();
    [one, two] = await Promise.all([
      fleet.add('one', { folder: folderOfOne }),
      fleet.add('two', { folder: newFolder() }),
    ]);
    await allOwned([one, two]);
    await Promise.all([one.discovered(), two.discovered()]);
  });
  after(() => ending.end());

  it('changes nothing anywhere when the files have an error', async () => {
    folderOfOne.write(system, 'not: [a definition');
    const before = [one, two].map(({ definitions }) => definitions.current.number);
    assert.equal((await one.post('/snmp/apply-definitions')).status, 422);
    assert.deepEqual(
      [one, two].map(({ definitions }) => definitions.current.number),
      before,
    );
  });

  it('switches every member to the files of the member that is asked, and lets owners rediscover', async () => {
    folderOfOne.write(system, changed);
    const forced = two.next('discovery.started', ({ cause }) => cause === 'forced');
    const answer = await one.post('/snmp/apply-definitions?force_rediscovery=true');
    const applied = (await answer.json()) as Applied;
    assert.equal(answer.status, 200);
    assert.deepEqual(applied.members, [
      { name: 'one', generation: 2, changed: true },
      { name: 'two', generation: 2, changed: true },
    ]);
    assert.ok(hasName(one) && hasName(two));
    const { device } = await forced;
    assert.ok(two.owns(device.port), 'the owner rediscovers');
  });

  it('says which member has other files, and keeps no plain-text secret in etcd', async () => {
    const { degraded } = (await (await fetch(`${two.url}/readyz`)).json()) as { degraded: string[] };
    assert.match(degraded.join(), /files of this member are not those that the cluster uses/);
    assert.equal(one.definitions.difference, undefined);
    const { content } = JSON.parse(two.fleet.shared.get('definitions/current')!);
    const text = gunzipSync((await two.fleet.loadContent(content))!).toString();
    assert.match(text, /sysName/);
    assert.doesNotMatch(text, /public/);
  });

  it('gives a member that starts later the definitions of the cluster instead of its files', async () => {
    const three = await fleet.add('three', { folder: newFolder() });
    await until(() => hasName(three));
    await three.collector.stop();
    await until(() => one.fleet.members.size === 2);
  });

  it('writes again what etcd has lost, which a member that starts says seldom', async () => {
    const { content } = JSON.parse(two.fleet.shared.get('definitions/current')!);
    const damages = [
      () => fleet.etcd.ask('kv/deleterange', { key: encode(`/waywiser/contents/${content}/0`) }),
      () => fleet.etcd.ask('kv/put', { key: encode(`/waywiser/contents/${content}/0`), value: 'YQ==' }),
    ];
    for (const damage of damages) {
      await damage();
      const three = await fleet.add('three', { folder: newFolder() });
      const failures = () =>
        three.collector.logLines.filter((line) => JSON.stringify(line).includes('CLUSTER_INCOMPLETE'));
      await until(() => failures().length === 3);
      const times = failures().map((line) => Number(line['time']));
      assert.ok(times[2]! - times[1]! > 1_500, 'the second wait is longer than the first one');
      assert.ok(!hasName(three));
      assert.equal((await one.post('/snmp/apply-definitions')).status, 200);
      await until(() => hasName(three));
      await three.collector.stop();
      await until(() => one.fleet.members.size === 2);
    }
  });

  it('lets all members stay when one of them cannot use the definitions', async () => {
    const before = [one, two].map(({ definitions }) => definitions.current.number);
    folderOfOne.write('objects/system.yml', smallDefinitions[system]!);
    const share = two.fleet.loadContent.bind(two.fleet);
    two.fleet.loadContent = () => Promise.reject(new Error('the link is cut'));
    const refused = await one.post('/snmp/apply-definitions');
    two.fleet.loadContent = share;
    const { code, detail } = (await refused.json()) as { code: string; detail: string };
    assert.deepEqual([refused.status, code], [409, 'DEFINITIONS_CLUSTER_REFUSED']);
    assert.match(detail, /"two".*the link is cut/);
    assert.deepEqual(
      [one, two].map(({ definitions }) => definitions.current.number),
      before,
    );
    assert.ok(hasName(one) && hasName(two));
  });
});

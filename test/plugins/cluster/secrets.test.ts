import assert from 'node:assert/strict';
import { env } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { shardCount } from '../../../src/sharding/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { addUsers, memberPassword, rootPassword } from './support/etcd-users.ts';
import { allOwned, Ending, type FleetMember, memberToken, TestFleet } from './support/start-fleet.ts';

const secrets = {
  community: 'a-community-of-devices',
  referred: 'a-community-in-the-environment',
  network: 'a-community-of-networks',
  authentication: 'an-authentication-passphrase',
  privacy: 'a-privacy-passphrase',
  trap: 'a-community-of-defaults',
  memberToken,
  memberPassword,
  rootPassword,
};

/** Nobody answers it: the definitions are what has its secrets. */
const ofV3 = `v3: { ip: 127.0.0.1, port: 9, version: 3, timeout: 100, retries: 0, device_groups: [plain], v3_credentials: [{ username: operator,
  authentication_protocol: sha, authentication_passphrase: ${secrets.authentication}, privacy_protocol: aes, privacy_passphrase: ${secrets.privacy} }] }
`;

describe('the keys of etcd', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let folder: DefinitionFolder;
  let one: FleetMember;
  let two: FleetMember;

  before(async () => {
    env['WAYWISER_TEST_COMMUNITY'] = secrets.referred;
    ending.after(() => delete env['WAYWISER_TEST_COMMUNITY']);
    fleet = await TestFleet.start(ending, 12);
    await addUsers(fleet.etcd);
    await fleet.etcd.login('root', rootPassword);
    const [found, ...known] = fleet.devices.ports;
    const devices = fleet.devices.toYaml().replaceAll('[public]', `[${secrets.community}]`);
    folder = new DefinitionFolder(ending as never, {
      'devices/all.yml': devices.split('\n').slice(2).join('\n') + ofV3,
      'defaults/device.yml': `default: { communities: [${secrets.trap}] }\n`,
      'autodiscover/networks.yml': `lab: { networks: [127.0.0.1/32], port: ${found}, credentials: [{ version: 2c, community: ${secrets.network} }], device_groups: [plain] }\n`,
    });
    const add = (name: string) =>
      fleet.add(name, {
        folder,
        env: { ETCD_PASSWORD: memberPassword },
        cluster: {
          etcd: { endpoints: [fleet.etcd.url], username: 'waywiser', password: '${env:ETCD_PASSWORD}' },
        },
      });
    [one, two] = await Promise.all([add('one'), add('two')]);
    await allOwned([one, two]);
    const body = {
      ...{ name: 'added', ip: '127.0.0.1', port: known[0], version: '2c', device_groups: ['plain'] },
      communities: ['${env:WAYWISER_TEST_COMMUNITY}'],
    };
    assert.equal((await one.post('/snmp/devices', body)).status, 201);
    one.registry.putFound({ ip: '127.0.0.1', port: found!, name: 'found', network: 'lab', credential: 0 });
    await until(() => fleet.devices.ports.every((port) => fleet.devices.asked.get(port)!.length > 0));
    folder.write('objects/more.yml', 'X-MIB::more:\n  mib: X-MIB\n  object: more\n  attributes: {}\n');
    folder.write('devices/more.yml', ofV3.replace('v3:', 'more:').replace('port: 9', 'port: 10'));
    const applied = await one.post('/snmp/apply-definitions');
    assert.equal(applied.status, 200, await applied.text());
    // Its shards are handed over with their states.
    await one.collector.stop();
    await until(() => two.owned() === shardCount);
  });
  after(() => ending.end());

  it('have none of the secrets that members use, not even compressed', async () => {
    const text = await fleet.etcd.readAll();
    for (const kept of [
      '/state/',
      '/contents/',
      'devices/api/',
      'devices/found/',
      'sysDescr|a device',
      'operator',
    ])
      assert.match(text, new RegExp(kept), `nothing of ${kept}`);
    for (const [name, secret] of Object.entries(secrets)) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('hex'),
      ])
        assert.ok(!text.includes(form), `the secret "${name}" is in etcd`);
    }
  });

  it('are closed to those without a user of etcd', async () => {
    await assert.rejects(
      fetch(`${fleet.etcd.url}/v3/kv/range`, {
        method: 'POST',
        body: '{"key":"AA==","range_end":"AA=="}',
      }).then(async (response) => {
        assert.ok(response.ok, await response.text());
      }),
      /user name is empty/,
    );
  });
});

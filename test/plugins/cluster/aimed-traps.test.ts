import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { httpRoutesToken } from '../../../plugins/http-routes/service.ts';
import snmpTraps from '../../../plugins/snmp-traps/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { onlyLong } from '../../support/long-run.ts';
import { until } from '../../support/until.ts';
import { sendTrap } from '../snmp-traps/trap-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, type FleetMember, TestFleet } from './support/start-fleet.ts';

const notifications = `TEST-MIB::changed:
  oid: .1.3.6.1.4.1.32473.0.1
  aim: { poll: [SNMPv2-MIB::system] }
`;

const readToken = 'a-token-that-may-only-read-0123456789';
const sha256 = createHash('sha256').update(readToken).digest('hex');

interface Trap {
  readonly polls: readonly { readonly outcome: string }[];
}

async function polledBy(member: FleetMember): Promise<number> {
  const metrics = await member.collector.getService(httpRoutesToken).listMetrics();
  const found = metrics.find(({ name }) => name === 'waywiser_trap_aimed_polls_total');
  return found!.samples.find(({ labels }) => labels?.['outcome'] === 'polled')!.value;
}

describe('traps in a cluster', { skip: noEtcd || onlyLong }, () => {
  it('aim one poll of the owner when two members receive them', async (t) => {
    const fleet = await TestFleet.start(t as never, 1);
    const [port] = fleet.devices.ports as [number];
    const folder = new DefinitionFolder(t, {
      'devices/all.yml': fleet.devices.toYaml().replace('poll_interval: 1 ', 'poll_interval: 3600 '),
      'notifications/all.yml': notifications,
    });
    const trapPorts = await findFreeUdpPorts(2);
    const add = (name: string, at: number) => {
      const traps = {
        listen: [{ address: '127.0.0.1', port: trapPorts[at] }],
        threads: 0,
        aim: { again_s: 0 },
      };
      return fleet.add(name, {
        folder,
        httpApi: { tokens: [{ name: 'reader', role: 'read', sha256 }] },
        more: [{ plugin: snmpTraps, options: traps }],
      });
    };
    const members = await Promise.all([add('one', 0), add('two', 1)]);
    await allOwned(members);
    const owner = members.find((member) => member.owns(port))!;
    const other = members.find((member) => member !== owner)!;
    await until(
      async () =>
        (await owner.read<{ state: string }>(`/snmp/devices/127.0.0.1/${port}?scope=member`)).state === 'up',
    );
    const trapPortOf = (member: FleetMember) => trapPorts[members.indexOf(member)]!;
    for (const receiver of [other, owner])
      await sendTrap(trapPortOf(receiver), { oid: '1.3.6.1.4.1.32473.0.1' });
    const outcomes = async (member: FleetMember) =>
      (await member.read<{ traps: Trap[] }>('/snmp/traps?scope=member')).traps.flatMap(({ polls }) =>
        polls.map(({ outcome }) => outcome),
      );
    await until(async () => (await outcomes(owner)).length === 1 && (await outcomes(other)).length === 1);
    assert.deepEqual(await outcomes(other), ['passed']);
    assert.deepEqual(await outcomes(owner), ['polled']);
    assert.deepEqual([await polledBy(owner), await polledBy(other)], [1, 0], 'both came within a second');

    const path = '/snmp/traps/aim';
    const aim = {
      ip: '127.0.0.1',
      port,
      trapId: `01KB${'0'.repeat(22)}`,
      name: 'x',
      poll: [],
      rediscover: true,
    };
    const hostile = [
      { aims: {} },
      { aims: [{ ...aim, named: [] }] },
      { aims: [{ ...aim, named: [], pointed: [], more: 1 }] },
      { aims: [{ ...aim, named: [], pointed: [], trapId: '<script>' }] },
      { aims: [{ ...aim, named: [], pointed: [], name: 'x'.repeat(2_000) }] },
    ];
    for (const body of hostile) assert.equal((await owner.post(path, body)).status, 400);
    assert.equal((await owner.post(path, { aims: ['x'.repeat(300_000)] })).status, 413);
    for (const [token, status] of [
      [undefined, 401],
      [readToken, 403],
    ] as const) {
      const answer = await fetch(`${owner.url}/api/v1${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: '{"aims":[]}',
      });
      assert.equal(answer.status, status);
    }
  });
});

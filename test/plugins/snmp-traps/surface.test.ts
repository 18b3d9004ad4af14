import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import poller from '../../../plugins/snmp-poller/index.ts';
import snmpTraps from '../../../plugins/snmp-traps/index.ts';
import { defineOutput, explainError } from '../../../src/index.ts';
import { checkPlugin, createRecordingOutput } from '../../../src/testing/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { linkNotifications, sendTrap, startTraps } from './trap-stack.ts';

const linkDown = '1.3.6.1.6.3.1.1.5.3';
const ifIndex = { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 } as const;

const nothing = {
  devices: () => [],
  findInventory: () => undefined,
  engines: () => [],
  current: { number: 1, sections: { objects: new Map(), notifications: new Map() } },
  add: () => {},
  addMetrics: () => {},
  decodeOptions: {},
};
const fakes = {
  definitions: nothing,
  registry: nothing,
  client: nothing,
  discovery: nothing,
  poller: nothing,
  routes: nothing,
};

it('keeps the contract of a plugin', async () => {
  const [port = 0] = await findFreeUdpPorts(1);
  const options = { listen: [{ address: '127.0.0.1', port }], threads: 0 };
  await checkPlugin(snmpTraps, { options, needs: fakes });
});

it('refuses an output that receives no notifications', async (test) => {
  const latest = defineOutput({
    name: 'latest',
    summary: 'Keeps latest numbers.',
    events: false,
    open: () => ({ write() {} }),
  });
  const starting = startTraps(test, { traps: { outputs: ['latest'] }, more: [{ plugin: latest }] });
  await rejects(starting, (error) => {
    match(
      explainError(error),
      /names "latest", which receives no notifications.* Outputs that receive them are: none\./,
    );
    return true;
  });
});

it('says at the start which outputs receive notifications, and warns when none does', async (test) => {
  const outputOf = (name: string, events?: boolean) =>
    defineOutput({
      name,
      summary: 'Keeps nothing.',
      ...(events === undefined ? {} : { events }),
      open: () => ({ write() {} }),
    });
  const both = [{ plugin: outputOf('mine') }, { plugin: outputOf('latest', false) }];
  const first = await startTraps(test, { more: both });
  const started = first.collector.logLines.find(({ message }) => message === 'Receiving notifications.');
  deepEqual(started?.['outputs'], ['mine']);
  const isWarning = ({ message }: { readonly message?: unknown }) =>
    String(message).startsWith('No output receives');
  deepEqual(first.collector.logLines.filter(isWarning), []);
  const second = await startTraps(test, { more: [both[1]!] });
  deepEqual(
    second.collector.logLines.filter(isWarning).map(({ outputs }) => outputs),
    [['latest']],
  );
});

describe('the API and metrics of snmp-traps', () => {
  it('show notifications, who was refused, and where every datagram went', async (test) => {
    const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications });
    folder.writeDevices([]);
    const [port = 0] = await findFreeUdpPorts(1);
    const output = createRecordingOutput();
    const senders = [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }];
    const users = [
      { username: 'open' },
      {
        username: 'ops',
        authentication_protocol: 'sha256',
        authentication_passphrase: '${env:AUTH}',
        engine_ids: ['80001f8804'],
      },
    ];
    const traps = { listen: [{ address: '127.0.0.1', port }], threads: 0, senders, users };
    const { call, collector } = await startApi(test, folder, {
      env: { C: 'public', AUTH: 'maplesyrup-auth' },
      more: [{ plugin: poller }, { plugin: output.plugin }, { plugin: snmpTraps, options: traps }],
    });
    const events: unknown[] = [];
    collector.events.on(
      'trap.received',
      ({ name, severity, message }) => void events.push([name, severity, message]),
    );
    await sendTrap(port, { oid: linkDown, varbinds: [ifIndex] });
    await sendTrap(port, { oid: '1.3.6.1.6.3.1.1.5.4', varbinds: [ifIndex] });
    await sendTrap(port, { oid: '1.3.6.1.4.1.9.9.1' });
    await sendTrap(port, { oid: linkDown, uptime: 9, varbinds: [ifIndex] });
    await sendTrap(port, { oid: linkDown, varbinds: [ifIndex] }, { community: 'guessed' });
    await output.waitFor((batches) => batches.filter(({ kind }) => kind === 'event').length === 4);
    await sleep(1_100);

    const list = await call('GET', '/api/v1/snmp/traps?limit=3');
    equal(list.status, 200);
    deepEqual(
      list.body.traps.map(({ name, message }: { name: string; message?: string }) => [name, message]),
      [
        ['IF-MIB::linkDown', '7 is down'],
        ['1.3.6.1.4.1.9.9.1', undefined],
        ['IF-MIB::linkUp', '7 is up'],
      ],
    );
    const next = await call('GET', `/api/v1/snmp/traps?cursor=${list.body.next}`);
    equal(next.body.traps.length, 1);
    equal(next.body.traps[0].clearedBy, list.body.traps[2].trapId);
    const open = await call('GET', '/api/v1/snmp/traps/open');
    deepEqual(open.body.traps, [list.body.traps[0]]);
    const one = await call('GET', `/api/v1/snmp/traps/${list.body.traps[0].trapId}`);
    deepEqual(one.body, list.body.traps[0]);
    equal((await call('GET', '/api/v1/snmp/traps/01KB')).status, 404);
    deepEqual((await call('GET', '/api/v1/snmp/traps/senders')).body, {
      refused: [{ source: '127.0.0.1', cause: 'community', count: 1 }],
      users: [
        { user: 'open', level: 'noAuthNoPriv', engineIds: [] },
        { user: 'ops', level: 'authNoPriv', engineIds: ['80001f8804'] },
      ],
      engines: [],
    });
    const { body } = await call('GET', '/api/v1/snmp/traps/statistics');
    deepEqual([body.received, body.accepted, body.dropped.community, body.queued], [5, 4, 1, 0]);
    ok(body.listeners[0].receiveBufferBytes > 0);
    const { text } = await call('GET', '/metrics');
    match(text, /^waywiser_traps_received_total 5$/m);
    match(text, /^waywiser_traps_dropped_total\{cause="community"\} 1$/m);
    match(text, /^waywiser_trap_delay_seconds_count 4$/m);
    deepEqual(events[0], ['IF-MIB::linkDown', 'error', '7 is down']);
  });
});

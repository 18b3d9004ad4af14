import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { discoveryToken } from '../../../plugins/snmp-discovery/service.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import snmpTraps from '../../../plugins/snmp-traps/index.ts';
import type { Batch } from '../../../src/index.ts';
import { createRecordingOutput, startReplayAgent } from '../../../src/testing/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { countsOf, linkNotifications, sendTrap, startTraps, trapRows } from './trap-stack.ts';

const linkDown = '1.3.6.1.6.3.1.1.5.3';
const linkUp = '1.3.6.1.6.3.1.1.5.4';
const ifIndex = (value: number) =>
  ({ oid: `1.3.6.1.2.1.2.2.1.1.${value}`, type: 'Integer32', value }) as const;
const senders = [{ name: 'all', from: ['127.0.0.0/8', '::1'], versions: ['2c'], communities: ['${env:C}'] }];
const env = { C: 'public' };

describe('options of snmp-traps', () => {
  it('`overrides` change the severity of one notification and mute another', async (test) => {
    const overrides = { 'IF-MIB::linkDown': { severity: 'info' }, 'IF-MIB::linkUp': { muted: true } };
    const { output, send, collector } = await startTraps(test, { traps: { senders, overrides }, env });
    await send({ oid: linkUp, varbinds: [ifIndex(7)] });
    await send({ oid: linkDown, varbinds: [ifIndex(7)] });
    const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
    deepEqual([row!.record, row!.labels['trap.severity']], ['IF-MIB::linkDown', 'info']);
    const counts = await countsOf(collector, ({ received }) => received === 2);
    equal(counts['dropped muted'], 1);
  });

  it('`duration_unit` of the poller is the unit of `trap.uptime` too', async (test) => {
    for (const [unit, expected] of [
      ['s', 471.1],
      ['ms', 471_100],
      ['us', 471_100_000],
    ] as const) {
      const poller = { duration_unit: unit };
      const { output, send } = await startTraps(test, { traps: { senders }, env, poller });
      await send({ oid: linkDown, uptime: 47_110 });
      const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
      equal(row!.values['trap.uptime'], expected, unit);
    }
  });

  it('an override with `muted: false` brings back what a definition mutes', async (test) => {
    const overrides = { 'TEST-MIB::quiet': { muted: false } };
    const { output, send } = await startTraps(test, { traps: { senders, overrides }, env });
    await send({ oid: '1.3.6.1.4.1.32473.0.1' });
    const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
    equal(row!.record, 'TEST-MIB::quiet');
  });

  it('`varbinds` lists what no definition has, all, or nothing', async (test) => {
    const unknown = { oid: '1.3.6.1.4.1.32473.9.9.0', type: 'Gauge32', value: 5 } as const;
    const texts = ['.1.3.6.1.2.1.2.2.1.1.7 = INTEGER: 7', '.1.3.6.1.4.1.32473.9.9.0 = Gauge32: 5'];
    for (const [varbinds, expected] of [
      ['unknown', texts.slice(1)],
      ['all', texts],
      ['none', undefined],
    ] as const) {
      const { output, send } = await startTraps(test, { traps: { senders, varbinds }, env });
      await send({ oid: linkDown, varbinds: [ifIndex(7), unknown] });
      const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
      deepEqual(row!.values['trap.varbinds'], expected, varbinds);
      equal(row!.labels['netif.index'], '7');
    }
  });

  it('`events_per_second` limits the events and not the records', async (test) => {
    const { output, send, collector } = await startTraps(test, {
      traps: { senders, events_per_second: 0 },
      env,
    });
    let events = 0;
    collector.events.on('trap.received', () => void events++);
    await send({ oid: linkDown, varbinds: [ifIndex(7)] });
    await output.waitFor((batches) => trapRows(batches).length === 1);
    equal(events, 0);
  });

  it('an override with `aim: false` polls nothing for that notification, and the records of others carry its id', async (test) => {
    const agent = await startReplayAgent({
      recording: new URL('../../recordings/switch.snmprec', import.meta.url).pathname,
    });
    test.after(() => agent.close());
    const aim = '  aim: { poll: [IF-MIB::ifEntry] }\n';
    const { output, send, collector, discovered } = await startTraps(test, {
      devices: [{ name: 'sw1', port: agent.port, groups: 'device_groups: [switch]' }],
      files: {
        'notifications/all.yml': `IF-MIB::linkDown:\n  oid: .${linkDown}\n${aim}IF-MIB::linkUp:\n  oid: .${linkUp}\n${aim}`,
      },
      traps: { aim: { delay_ms: 10, again_s: 0 }, overrides: { 'IF-MIB::linkDown': { aim: false } } },
    });
    await discovered;
    const device = collector.getService(deviceRegistryToken).findDeviceNamed('sw1')!;
    const inventory = collector.getService(discoveryToken).findInventory(device)!;
    const [first, second] = inventory.objects.get('IF-MIB::ifEntry')!.instances.map(Number);
    await send({ oid: linkDown, varbinds: [ifIndex(first!)] });
    await send({ oid: linkUp, varbinds: [ifIndex(second!)] });
    const isAimed = ({ trapId, kind }: Batch) => trapId !== undefined && kind !== 'event';
    const batches = await output.waitFor((all) => all.some(isAimed));
    const [polled] = batches.filter(isAimed);
    deepEqual(polled!.rows.labels['netif.index'], [String(second)]);
    const cause = batches.find(({ record }) => record === 'IF-MIB::linkUp');
    equal(polled!.trapId, cause!.trapId);
  });

  it('`count_every_s` records counters, by device, name and severity', async (test) => {
    const [port = 0] = await findFreeUdpPorts(1);
    const { output, send } = await startTraps(test, {
      devices: [{ name: 'sw1', port, groups: 'device_groups: [switch], tags: { site: a }' }],
      traps: { senders, count_every_s: 1 },
      env,
    });
    for (const index of [7, 8]) await send({ oid: linkDown, varbinds: [ifIndex(index)] });
    await send({ oid: '1.3.6.1.4.1.99.0.1' });
    const isCount = ({ record }: { readonly record: string }) => record === 'waywiser::trapCounts';
    const batches = await output.waitFor((all) => all.some((each) => isCount(each) && each.rows.count === 2));
    const counts = batches.find((each) => isCount(each) && each.rows.count === 2)!;
    deepEqual([counts.device.name, counts.tags, counts.kind], ['sw1', { site: 'a' }, undefined]);
    deepEqual(counts.rows.labels, {
      'trap.name': ['IF-MIB::linkDown', 'other'],
      'trap.severity': ['error', 'notice'],
    });
    const [column] = counts.columns;
    deepEqual([column!.field, column!.kind, counts.columns.length], ['trap.count', 'counter', 1]);
  });

  it('`listen` takes the same port for IPv4 and IPv6, each with addresses of its own family', {
    skip: hasIpv6() ? false : 'this host has no IPv6',
  }, async (test) => {
    const [port = 0] = await findFreeUdpPorts(1);
    const listen = ['0.0.0.0', '::'].map((address) => ({ address, port }));
    const { output } = await startTraps(test, { traps: { senders, listen }, env });
    await sendTrap(port, { oid: linkDown, varbinds: [ifIndex(4)] });
    await sendTrap(port, { oid: linkDown, varbinds: [ifIndex(6)] }, { address: '::1' });
    const rows = trapRows(await output.waitFor((batches) => trapRows(batches).length === 2));
    const sources = rows.map(({ values, labels }) => [labels['netif.index'], values['trap.source']]);
    deepEqual(sources.sort(), [
      ['4', '127.0.0.1'],
      ['6', '::1'],
    ]);
  });

  it('a buffer that the system does not grant is a warning with the command that raises it', {
    skip: process.platform === 'linux' ? false : 'only Linux limits it silently',
  }, async (test) => {
    const receive_buffer_bytes = 2 ** 30;
    const { collector } = await startTraps(test, { traps: { senders, receive_buffer_bytes }, env });
    const [warning] = collector.logLines.filter(({ message }) => String(message).includes('rmem_max'));
    equal(warning?.['wanted'], receive_buffer_bytes);
    match(String(warning?.message), /sysctl -w net\.core\.rmem_max=1073741824$/);
    ok(Number(warning?.['receiveBufferBytes']) > 0);
  });

  it('an engine whose boots have reached their last number is an error in the log', async (test) => {
    const stateDirectory = temporaryFolder(test);
    mkdirSync(join(stateDirectory, 'snmp-traps'));
    const engine = { engineId: '80007ed905aabbccdd', boots: 0x7fff_ffff };
    writeFileSync(join(stateDirectory, 'snmp-traps/engine.json'), JSON.stringify(engine));
    const { collector } = await startTraps(test, { traps: { senders }, env, stateDirectory });
    const lines = collector.logLines.filter(({ message }) => String(message).includes('boots'));
    deepEqual(
      lines.map(({ level, engineId }) => [level, engineId]),
      [['error', '80007ed905aabbccdd']],
    );
  });
});

describe('the list of notifications', () => {
  it('is chosen by device, name, severity, source and time', async (test) => {
    const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications });
    folder.writeDevices([]);
    const [port = 0] = await findFreeUdpPorts(1);
    const output = createRecordingOutput();
    const traps = { listen: [{ address: '127.0.0.1', port }], threads: 0, senders };
    const { call } = await startApi(test, folder, {
      env,
      more: [{ plugin: poller }, { plugin: output.plugin }, { plugin: snmpTraps, options: traps }],
    });
    await sendTrap(port, { oid: linkDown, varbinds: [ifIndex(7)] });
    await output.waitFor((batches) => trapRows(batches).length === 1);
    const between = Date.now();
    await until(() => Date.now() > between);
    await sendTrap(port, { oid: linkUp, varbinds: [ifIndex(7)] });
    await output.waitFor((batches) => trapRows(batches).length === 2);
    for (const [query, names] of [
      ['', ['IF-MIB::linkUp', 'IF-MIB::linkDown']],
      ['device=127.0.0.1', ['IF-MIB::linkUp', 'IF-MIB::linkDown']],
      ['device=sw1', []],
      ['name=IF-MIB::linkDown', ['IF-MIB::linkDown']],
      ['severity=notice', ['IF-MIB::linkUp']],
      ['severity=error&name=IF-MIB::linkUp', []],
      ['source=127.0.0.1', ['IF-MIB::linkUp', 'IF-MIB::linkDown']],
      ['source=192.0.2.1', []],
      [`since=${new Date(between + 1).toISOString()}`, ['IF-MIB::linkUp']],
    ] as const) {
      const { body } = await call('GET', `/api/v1/snmp/traps?${query}`);
      deepEqual(
        body.traps.map(({ name }: { readonly name: string }) => name),
        names,
        query,
      );
    }
    equal((await call('GET', '/api/v1/snmp/traps?since=yesterday')).status, 400);
  });
});

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
}

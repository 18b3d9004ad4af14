import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { pollerToken } from '../../../plugins/snmp-poller/service.ts';
import { explainError } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { startTraps, trapRows } from './trap-stack.ts';

const run = promisify(execFile);
const linkDown = '1.3.6.1.6.3.1.1.5.3';
const linkUp = '1.3.6.1.6.3.1.1.5.4';
const ifIndex = (value: number) =>
  ({ oid: `1.3.6.1.2.1.2.2.1.1.${value}`, type: 'Integer32', value }) as const;
const anyone = {
  senders: [{ name: 'all', from: ['127.0.0.0/8'], versions: ['1', '2c', '3'], communities: ['${env:C}'] }],
};
const env = { C: 'public', AUTH: 'authentic-1', PRIV: 'private-22' };

describe('snmp-traps', () => {
  it('makes a record of a trap, with the names of its definition', async (test) => {
    const { output, send } = await startTraps(test, { traps: anyone, env });
    await send({ oid: linkDown, uptime: 47_110, varbinds: [ifIndex(7)] });
    const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
    const { key, device, ...rest } = row!;
    match(key, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    deepEqual(device, { name: '127.0.0.1', ip: '127.0.0.1', port: 0 });
    const { 'trap.port': port, ...values } = rest.values;
    ok(typeof port === 'number');
    deepEqual(
      { ...rest, values },
      {
        record: 'IF-MIB::linkDown',
        labels: {
          'trap.name': 'IF-MIB::linkDown',
          'trap.severity': 'error',
          'trap.category': 'link',
          'netif.index': '7',
        },
        values: {
          'trap.oid': linkDown,
          'trap.version': '2c',
          'trap.kind': 'trap',
          'trap.level': 'noAuthNoPriv',
          'trap.authenticated': false,
          'trap.uptime': 471_100,
          'trap.source': '127.0.0.1',
          'trap.identity': 'none',
          'trap.message': '7 is down',
        },
      },
    );
  });

  it('uses the thread too', async (test) => {
    const { output, send } = await startTraps(test, { traps: { ...anyone, threads: 1 }, env });
    await send({
      oid: linkDown,
      varbinds: [ifIndex(7), { oid: '1.3.6.1.4.1.32473.9.9.0', type: 'Gauge32', value: 5 }],
    });
    const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
    deepEqual(row!.values['trap.varbinds'], ['.1.3.6.1.4.1.32473.9.9.0 = Gauge32: 5']);
  });

  it('finds the device, its tags and the labels of its last poll, and decodes as polls do', async (test) => {
    const agent = await startReplayAgent({
      recording: new URL('../../recordings/switch.snmprec', import.meta.url).pathname,
    });
    test.after(() => agent.close());
    const { output, send, collector, discovered } = await startTraps(test, {
      devices: [{ name: 'sw1', port: agent.port, groups: 'device_groups: [switch], tags: { site: a }' }],
    });
    await discovered;
    const device = collector.getService(deviceRegistryToken).findDeviceNamed('sw1')!;
    const polled = await collector.getService(pollerToken).pollNow(device);
    const interfaces = polled.find(({ record }) => record === 'IF-MIB::ifEntry')!;
    const index = Number(interfaces.rows.labels['netif.index']![0]);
    const descr = interfaces.rows.labels['netif.description']![0]!;
    const name = interfaces.rows.labels['netif.name']?.[0];
    await send({
      oid: linkDown,
      varbinds: [
        ifIndex(index),
        { oid: `1.3.6.1.2.1.2.2.1.2.${index}`, type: 'OctetString', value: Buffer.from('now called this') },
        { oid: `1.3.6.1.2.1.31.1.1.1.6.${index}`, type: 'Counter64', value: 2n ** 60n },
      ],
    });
    const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
    equal(row!.device.name, 'sw1');
    equal(row!.values['trap.identity'], 'address');
    ok(descr.length > 0);
    equal(row!.labels['netif.description'], 'now called this');
    equal(row!.labels['netif.name'], name);
    equal(row!.values['trap.message'], `${name ?? index} is down`);
    equal(row!.values['netif.bytes.in'], 2n ** 60n);
    const batch = output.batches.find(({ record }) => record === 'IF-MIB::linkDown')!;
    deepEqual(batch.tags, { site: 'a' });
    equal(batch.columns.find(({ field }) => field === 'netif.bytes.in')?.unit, 'B');
  });

  it('records what nothing defines, and counts what is muted', async (test) => {
    const { output, send, collector } = await startTraps(test, { traps: anyone, env });
    await send({ oid: '1.3.6.1.4.1.99.0.1', varbinds: [ifIndex(1)] });
    await send({ oid: '1.3.6.1.4.1.32473.0.1' });
    // Without the 0 before the last arc, as some agents send it.
    await send({ oid: '1.3.6.1.4.1.32473.1', uptime: 2 });
    await send({ oid: '1.3.6.1.4.1.32473.0.7' });
    const rows = trapRows(await output.waitFor((batches) => trapRows(batches).length === 2));
    deepEqual(
      rows.map(({ record, labels }) => [record, labels['trap.name'], labels['trap.severity']]),
      [
        ['waywiser::unknownTrap', '1.3.6.1.4.1.99.0.1', 'notice'],
        ['TEST-MIB::any', 'TEST-MIB::any', 'info'],
      ],
    );
    equal(collector.logLines.filter(({ level }) => level === 'error').length, 0);
  });

  it('knows which notification ends which', async (test) => {
    const { output, send } = await startTraps(test, { traps: anyone, env });
    await send({ oid: linkDown, varbinds: [ifIndex(7)] });
    await send({ oid: linkUp, varbinds: [ifIndex(8)] });
    await send({ oid: linkUp, varbinds: [ifIndex(7)] });
    const rows = trapRows(await output.waitFor((batches) => trapRows(batches).length === 3));
    deepEqual(
      rows.map(({ values }) => values['trap.clears']),
      [undefined, undefined, rows[0]!.key],
    );
  });

  it('has a row for each row of a table that a notification names', async (test) => {
    const { output, send } = await startTraps(test, { traps: anyone, env });
    await send({ oid: linkDown, varbinds: [ifIndex(7), ifIndex(8)] });
    const rows = trapRows(await output.waitFor((batches) => trapRows(batches).length === 2));
    equal(rows[1]!.key, `${rows[0]!.key}.2`);
    deepEqual(
      rows.map(({ labels }) => labels['netif.index']),
      ['7', '8'],
    );
  });

  it('applies other definitions without losing or mixing any', async (test) => {
    const { output, send, collector, folder } = await startTraps(test, { traps: anyone, env });
    const { definitionsToken } = await import('../../../plugins/definitions-loader/service.ts');
    folder.write('notifications/all.yml', `NEW-MIB::down: { oid: .${linkDown}, severity: alert }\n`);
    const applied = await collector.getService(definitionsToken).apply({ requestedBy: 'test' });
    ok(applied.accepted);
    deepEqual(applied.changes.notifications.added, ['NEW-MIB::down']);
    deepEqual(applied.affectedDevices, []);
    await send({ oid: linkDown, varbinds: [ifIndex(7)] });
    const [row] = trapRows(await output.waitFor((batches) => trapRows(batches).length === 1));
    equal(row!.record, 'NEW-MIB::down');
  });

  it('keeps its engine over restarts, and counts them', async (test) => {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'waywiser-traps-'));
    test.after(() => rmSync(stateDirectory, { recursive: true }));
    const engines = [];
    for (let start = 1; start <= 2; start++) {
      const { collector } = await startTraps(test, { traps: anyone, env, stateDirectory });
      engines.push(JSON.parse(readFileSync(join(stateDirectory, 'snmp-traps/engine.json'), 'utf8')));
      await collector.stop();
    }
    deepEqual(engines[1], { ...engines[0], boots: 2 });
    match(engines[0].engineId, /^80007ed905[0-9a-f]{16}$/);
    writeFileSync(join(stateDirectory, 'snmp-traps/engine.json'), '{"engineId":"80"');
    await startTraps(test, { traps: anyone, env, stateDirectory }).then(
      () => ok(false, 'it started'),
      (error: unknown) => match(explainError(error), /engine\.json cannot be used: its content is damaged/),
    );
  });

  it('says in words which port it cannot have', async (test) => {
    const { port } = await startTraps(test, { traps: anyone, env });
    const listen = [{ address: '127.0.0.1', port }];
    for (const threads of [0, 1]) {
      await startTraps(test, { traps: { ...anyone, listen, threads }, env }).then(
        () => ok(false, 'it started'),
        (error: unknown) => match(explainError(error), /another process has the port/),
      );
    }
  });
});

const users = [
  {
    username: 'ops',
    authentication_protocol: 'sha256',
    authentication_passphrase: '${env:AUTH}',
    privacy_protocol: 'aes',
    privacy_passphrase: '${env:PRIV}',
  },
];
const v3 = [
  '-v3',
  '-u',
  'ops',
  '-l',
  'authPriv',
  '-a',
  'SHA-256',
  '-A',
  env.AUTH,
  '-x',
  'AES',
  '-X',
  env.PRIV,
];

describe('informs', { skip: missingTool('snmpinform') }, () => {
  for (const [version, credentials] of [
    ['2c', ['-v2c', '-c', 'public']],
    ['3', v3],
  ] as const) {
    it(`are answered in SNMPv${version} when they are recorded`, async (test) => {
      const { output, port } = await startTraps(test, { traps: { ...anyone, users }, env });
      await run('snmpinform', [...credentials, '-r', '2', '-t', '2', `127.0.0.1:${port}`, '', linkDown]);
      const [row] = trapRows(output.batches);
      equal(row!.values['trap.kind'], 'inform');
      equal(row!.values['trap.user'], version === '3' ? 'ops' : undefined);
    });
  }
});

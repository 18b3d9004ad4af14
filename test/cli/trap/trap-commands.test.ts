import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { decode } from '../../../cli/trap/decode.ts';
import { listen } from '../../../cli/trap/listen.ts';
import { securedInform, v2c } from '../../snmp/notifications/support/notification-lab.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { captureOf } from './captures.ts';

const linkDown = '1.3.6.1.6.3.1.1.5.3';
const user = [
  '-u',
  'anna',
  '-a',
  'SHA-256',
  '-A',
  'first passphrase',
  '-x',
  'AES',
  '-X',
  'second passphrase',
];
const operator = [
  '-u',
  'operator',
  '-a',
  'SHA-256',
  '-A',
  'maplesyrup-auth',
  '-x',
  'AES',
  '-X',
  'maplesyrup-priv',
];

async function run(test: TestContext, ...args: string[]) {
  const command = new CollectorProcess(test);
  command.run(['trap', ...args]);
  const code = await command.exit;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

describe('waywiser trap', { concurrency: 2 }, () => {
  it('listen prints what send sends, answers informs, and says what it refuses', async (t) => {
    const listener = new CollectorProcess(t);
    listener.run([
      'trap',
      'listen',
      '--port',
      '0',
      '--address',
      '127.0.0.1',
      '--count',
      '3',
      '--json',
      ...user,
    ]);
    await until(() => listener.stderr.includes('Listening on 127.0.0.1 port '));
    const target = `127.0.0.1:${/port (\d+)/.exec(listener.stderr)![1]}`;
    const refused = await run(
      t,
      'send',
      '--inform',
      '-t',
      '0.2',
      '-r',
      '0',
      ...user.slice(0, 5),
      'wrong passphrase',
      target,
      linkDown,
    );
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /rejects the authentication of user anna|security level/);
    const traps = await run(
      t,
      'send',
      '-v1',
      '--count',
      '2',
      '--rate',
      '100000',
      target,
      linkDown,
      '1.3.6.1.2.1.2.2.1.1.7=i:7',
    );
    assert.deepEqual([traps.code, traps.stderr], [0, '']);
    assert.equal(traps.stdout, `2 traps sent to ${target}. Nobody answers a trap.\n`);
    const inform = await run(
      t,
      'send',
      '--inform',
      ...user,
      target,
      '.1.3.6.1.4.1.32473.0.5',
      '1.3.6.1.4.1.32473.1=s:down=1',
    );
    assert.equal(inform.stdout, `1 inform acknowledged by ${target}.\n`, inform.stderr);
    assert.equal(await listener.exit, 0);
    const documents = listener.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      documents.map(({ kind, version, oid, varbinds, user: name }) => [
        kind,
        version,
        oid,
        varbinds[0].value,
        name,
      ]),
      [
        ['trap', '1', linkDown, 7, undefined],
        ['trap', '1', linkDown, 7, undefined],
        ['inform', '3', '1.3.6.1.4.1.32473.0.5', 'down=1', 'anna'],
      ],
    );
    assert.match(
      listener.stderr,
      /127\.0\.0\.1: \d refused: another security level|127\.0\.0\.1: \d refused: SNMPv3 with another/,
    );
  });

  it('decode prints the datagrams of a capture, and why one cannot be read', async (t) => {
    const file = join(temporaryFolder(t), 'traps.pcap');
    const datagrams = [v2c(), v2c('InformRequest'), securedInform(), v2c('GetRequest'), v2c()];
    writeFileSync(file, captureOf(datagrams, { ports: [162, 1162, 162, 162, 161] }));
    const { code, stdout, stderr } = await run(t, 'decode', file, ...operator);
    assert.equal(code, 1);
    assert.deepEqual(
      stdout.split('\n').filter((line) => !line.startsWith('  ')),
      [
        '2026-01-02T03:04:05.250Z, 192.0.2.1:50123, trap of SNMPv2c',
        '2026-01-02T03:04:05.250Z, 192.0.2.1:50123, inform of SNMPv2c',
        '2026-01-02T03:04:05.250Z, 192.0.2.1:50123, inform of SNMPv3, user operator, authPriv, engine 80007ed905aabbccddeeff0011',
        '',
      ],
    );
    assert.match(
      stdout,
      /snmpTrapOID| {2}\.1\.3\.6\.1\.6\.3\.1\.1\.4\.1\.0 = OID: \.1\.3\.6\.1\.6\.3\.1\.1\.5\.3\n {2}\.1\.3\.6\.1\.2\.1\.2\.2\.1\.1\.7 = INTEGER: 7\n/,
    );
    assert.equal(stderr, '2026-01-02T03:04:05.250Z 192.0.2.1: refused: neither a trap nor an inform (pdu)\n');
  });

  it('decode says in words why octets cannot be read', async (t) => {
    const { code, stderr } = await run(t, 'decode', '3000');
    assert.deepEqual([code, stderr], [1, 'refused: not a valid SNMP notification (malformed)\n']);
  });

  it('decode prints octets of the command line', async (t) => {
    const { code, stdout, stderr } = await run(t, 'decode', v2c().toString('hex'), '--json');
    assert.deepEqual([code, stderr], [0, '']);
    const varbind = { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 };
    const facts = { kind: 'trap', version: '2c', level: 'noAuthNoPriv', oid: linkDown, uptime: 47_110 };
    assert.deepEqual(JSON.parse(stdout), { ...facts, varbinds: [varbind] });
  });

  it('listen says why it cannot listen', async (t) => {
    const [port] = (await findFreeUdpPorts(1)) as [number];
    const taken = createSocket('udp4').bind(port, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const options = { port: String(port), address: ['127.0.0.1'] };
    await assert.rejects(listen(options), { code: 'TRAP_PORT_TAKEN' });
    await assert.rejects(listen({ port: '0', address: ['192.0.2.1'] }), { code: 'TRAP_ADDRESS_UNUSABLE' });
    await assert.rejects(listen({ port: '0', address: ['nowhere'] }), { code: 'TRAP_ADDRESS_UNUSABLE' });
    await assert.rejects(listen({ port: '65536', address: [] }), { code: 'NUMBER_OPTION_INVALID' });
  });

  it('decode says what it cannot read', async (t) => {
    const absent = join(temporaryFolder(t), 'absent.pcap');
    await assert.rejects(decode(absent, {}), { code: 'TRAP_INPUT_UNREADABLE' });
    await assert.rejects(decode('300', {}), { code: 'TRAP_INPUT_UNREADABLE' });
  });
});

import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import ndjson from '../../../plugins/outputs/ndjson/index.ts';
import prometheus from '../../../plugins/outputs/prometheus/index.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import snmpTraps from '../../../plugins/snmp-traps/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { hostileStrings } from '../outputs/support/hostile-strings.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { sendTrap } from './trap-stack.ts';

const portName = '1.3.6.1.4.1.32473.5.1.3';
const definitions = {
  'notifications/all.yml': `TEST-MIB::down:
  oid: .1.3.6.1.4.1.32473.0.1
  message: "{port.name} is down"
`,
  'objects/all.yml': `TEST-MIB::portEntry:
  mib: TEST-MIB
  object: portEntry
  index: [{ type: Integer, oid: .1.3.6.1.4.1.32473.5.1.1, name: port, syntax: InterfaceIndex }]
  discovery_attribute: portName
  attributes:
    portName: { oid: .${portName}, name: port.name, syntax: DisplayString, tag: true }
`,
};

it('hostile texts of notifications are data in outputs, answers, events, metrics and log lines', async (test) => {
  const folder = new DefinitionFolder(test, definitions);
  folder.writeDevices([]);
  const [port = 0] = await findFreeUdpPorts(1);
  const file = join(temporaryFolder(test), 'records.ndjson');
  const senders = [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }];
  const { baseUrl, call, collector } = await startApi(test, folder, {
    env: { C: 'public' },
    more: [
      { plugin: poller },
      { plugin: ndjson, options: { file } },
      { plugin: prometheus },
      {
        plugin: snmpTraps,
        options: {
          listen: [{ address: '127.0.0.1', port }],
          threads: 0,
          senders,
          count_every_s: 1,
          varbinds: 'all',
        },
      },
    ],
  });
  const messages: unknown[] = [];
  collector.events.on('trap.received', ({ message }) => void messages.push(message));
  const texts = Object.values(hostileStrings).map((text) => Buffer.from(text).subarray(0, 10_000));
  for (const [position, value] of texts.entries())
    await sendTrap(port, {
      oid: '1.3.6.1.4.1.32473.0.1',
      uptime: position,
      varbinds: [
        { oid: `${portName}.7`, type: 'OctetString', value },
        { oid: '1.3.6.1.4.1.99.1.0', type: 'OctetString', value },
      ],
    });
  await sendTrap(port, { oid: '1.3.6.1.4.1.32473.0.1' }, { community: '<script>' });
  await until(() => messages.length === texts.length);

  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter(({ record }) => record === 'TEST-MIB::down');
  await until(() => lines().length === texts.length);
  const written = lines().map(({ values }) => values['trap.message']);
  deepEqual(written, messages);
  for (const { values, labels } of lines()) {
    equal(values['trap.message'], `${labels['port.name'] || '?'} is down`);
    equal(values['trap.varbinds'].length, 2);
  }

  const response = await fetch(`${baseUrl}/api/v1/snmp/traps?limit=100`);
  match(response.headers.get('content-type') ?? '', /^application\/json/);
  equal(response.headers.get('x-content-type-options'), 'nosniff');
  const { traps } = (await response.json()) as { readonly traps: readonly { readonly message: string }[] };
  deepEqual(traps.map(({ message }) => message).reverse(), messages);
  deepEqual(
    (await call('GET', '/api/v1/snmp/traps/senders')).body.refused.map(
      ({ cause }: { cause: string }) => cause,
    ),
    ['community'],
  );

  const read = async () => (await call('GET', '/api/v1/snmp/metrics')).text as string;
  await until(async () => (await read()).includes(`"} ${texts.length}\n`));
  deepEqual(
    (await read()).split('\n').filter((line) => !line.startsWith('#') && line !== ''),
    [
      `snmp_trap_total{device="other",address="0.0.0.0:0",object="waywiser::trapCounts",trap_name="TEST-MIB::down",trap_severity="notice"} ${texts.length}`,
    ],
    'no text of a sender is a label',
  );
  doesNotMatch(
    JSON.stringify(collector.logLines),
    /script|evil|DROP TABLE/,
    'no log line has a text of a device',
  );
});

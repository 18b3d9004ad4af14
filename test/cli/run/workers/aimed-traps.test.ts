import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AskedDevices } from '../../../plugins/cluster/support/asked-devices.ts';
import { sendTrap } from '../../../plugins/snmp-traps/trap-stack.ts';
import { DefinitionFolder } from '../../../plugins/support/definition-folder.ts';
import { findFreePort, findFreeUdpPorts } from '../../../support/free-port.ts';
import { onlyLong } from '../../../support/long-run.ts';
import { CollectorProcess } from '../../support/collector-process.ts';

const notifications = `TEST-MIB::changed:
  oid: .1.3.6.1.4.1.32473.0.1
  aim: { poll: [SNMPv2-MIB::system] }
`;

interface Trap {
  readonly trapId: string;
  readonly polls: readonly { readonly outcome: string }[];
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isTrue()); turn++) {
    assert.ok(turn < 1_200, `not within two minutes: ${isTrue}`);
    await sleep(100);
  }
}

describe('traps with workers', { skip: onlyLong }, () => {
  it('aim one poll of the worker that owns the device', async (t) => {
    const devices = await AskedDevices.start(t, 1);
    const definitions = new DefinitionFolder(t, {
      'devices/all.yml': devices.toYaml().replace('poll_interval: 1 ', 'poll_interval: 3600 '),
      'notifications/all.yml': notifications,
    });
    const [trapPort = 0] = await findFreeUdpPorts(1);
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const collector = new CollectorProcess(t);
    collector.write(
      'waywiser.yml',
      `workers: 2
log_format: json
plugins:
  definitions-loader: { shipped: false, directories: [${definitions.path}] }
  snmp-client: {}
  snmp-discovery: {}
  snmp-poller: {}
  http-api: { port: ${new URL(url).port} }
  ndjson: {}
  snmp-traps: { listen: [{ address: 127.0.0.1, port: ${trapPort} }], aim: { again_s: 0 } }
`,
    );
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    const read = async (path: string) => await (await fetch(`${url}${path}`)).text();
    const state = () => read(`/api/v1/snmp/devices/127.0.0.1/${devices.ports[0]}`);
    await waitFor(async () => (await state()).includes('"state":"up"'));

    await sendTrap(trapPort, { oid: '1.3.6.1.4.1.32473.0.1' });
    const traps = async () => JSON.parse(await read('/api/v1/snmp/traps')).traps as readonly Trap[];
    await waitFor(async () => (await traps())[0]?.polls.length === 1);
    const [trap] = await traps();
    assert.deepEqual(
      trap!.polls.map(({ outcome }) => outcome),
      ['passed'],
    );
    const polled = /waywiser_trap_aimed_polls_total\{worker="worker-\d",outcome="polled"\} 1/;
    await waitFor(async () => polled.test(await read('/metrics')));
    const records = () => collector.stdout.split('\n').filter((line) => line.includes(trap!.trapId));
    await waitFor(async () => records().some((line) => line.includes('SNMPv2-MIB::system')));
  });
});

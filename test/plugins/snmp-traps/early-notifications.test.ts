import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { Reception } from '../../../plugins/snmp-traps/receiving/reception.ts';
import { parseNetwork } from '../../../src/model/address-range.ts';
import { createNotificationSender } from '../../../src/snmp/index.ts';
import { operator, secured, senderEngineId } from '../../snmp/notifications/support/notification-lab.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { missingTool } from '../../support/needs.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { countsOf, linkNotifications, startTraps, trapRows } from './trap-stack.ts';

const env = { C: 'public' };
const senders = [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }];
const nothing = { varbinds: [], agentAddress: undefined, enterprise: undefined } as const;
const linkUp = (uptime: number) => ({ ...nothing, oid: '1.3.6.1.6.3.1.1.5.4', uptime });

function openSender(test: TestContext, port: number) {
  const place = { address: '127.0.0.1', port, timeoutMs: 60_000, retries: 0 } as const;
  const sender = createNotificationSender({ ...place, version: '2c', community: 'public' });
  test.after(() => sender.close());
  return sender;
}

/** Opens the socket as descriptor 3, waits for a line, and becomes the collector, as systemd does at a datagram. */
const launcher = `import os, socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
os.read(0, 1)
if s.fileno() == 3: os.set_inheritable(3, True)
else: os.dup2(s.fileno(), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="snmp-traps")
os.execvp(sys.argv[1], sys.argv[1:])`;

describe('notifications that come before the collector is ready', () => {
  for (const threads of [0, 1])
    it(`wait in the socket of systemd: all are recorded, informs are answered (threads: ${threads})`, {
      skip: missingTool('python3'),
    }, async (test) => {
      const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications });
      const file = join(temporaryFolder(test), 'traps.ndjson');
      const child = modulePath(new URL('early-child.ts', import.meta.url));
      const words = [process.execPath, ...nodeOptions, child, folder.path, file, String(threads)];
      const process_ = spawn('python3', ['-c', launcher, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
      test.after(() => process_.kill('SIGKILL'));
      const lines = createInterface(process_.stdout);
      const [port] = await once(lines, 'line');
      const sender = openSender(test, Number(port));
      for (let i = 1; i <= 60; i++) await sender.trap(linkUp(i));
      // One try each: the answer comes when the collector is ready.
      const informs = Array.from({ length: 40 }, (_, i) => sender.inform(linkUp(100 + i)));
      const ended = once(process_, 'exit').then(([code]) => `the collector ended with ${code}`);
      process_.stdin.write('\n');
      const attempts = await Promise.race([Promise.all(informs), ended]);
      deepEqual(attempts, Array(40).fill(1));
      await until(() => readFileSync(file, 'utf8').split('\n').length > 100);
      const uptimes = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).values['trap.uptime']);
      equal(new Set(uptimes).size, 100);
      process_.kill('SIGKILL');
      await ended;
    });

  it('are checked with the clocks that polling knows: a captured one of a device with the same engine ID is refused', async (test) => {
    const engineId = senderEngineId.toString('hex');
    const startedAtMs = Date.now() - 1_000_000;
    const reception = await Reception.open({
      listen: [{ address: '127.0.0.1', port: 0 }],
      receiveBufferBytes: 1 << 16,
      maxQueued: 100,
      keepsDatagrams: false,
      rights: {
        senders: [{ name: 'all', from: [parseNetwork('127.0.0.0/8')!], versions: ['3'] }],
      },
      users: [{ key: 'ops', settings: operator }],
      engine: { id: Buffer.from('80007ed905aabbccddeeff0011', 'hex'), boots: 1 },
      engineStates: [],
      polledEngines: [
        { address: '127.0.0.1', engineId, boots: 3, startedAtMs },
        { address: '127.0.0.2', engineId, boots: 7, startedAtMs },
      ],
      journalFolder: temporaryFolder(test),
      engines: { learn: true, newPerSecond: 100, max: 100 },
      limits: {},
    });
    test.after(() => reception.close());
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    test.after(() => socket.close());
    const { port = 0 } = reception.addresses[0] ?? {};
    for (const [position, boots] of [7, 3].entries()) {
      socket.send(secured({ boots }), port, '127.0.0.1');
      await until(async () => (await reception.report()).receiver.received === position + 1);
      const { dropped, queued } = (await reception.report()).receiver;
      deepEqual([dropped.time, queued], [1, position]);
    }
  });

  it('do not stop it, and are recorded, in each of several starts', async (test) => {
    for (const threads of [0, 1, 0, 1, 0, 1]) {
      const [port = 0] = await findFreeUdpPorts(1);
      const sender = openSender(test, port);
      let uptime = 0;
      const flood = setInterval(() => {
        for (let i = 0; i < 4; i++) sender.trap(linkUp(++uptime)).catch(() => {});
      }, 5);
      test.after(() => clearInterval(flood));
      const limits = { source_per_second: 100_000, source_burst: 100_000 };
      const traps = { senders, threads, limits, listen: [{ address: '127.0.0.1', port }] };
      const { collector, output } = await startTraps(test, { env, traps });
      // A start may be over before the first one comes.
      await countsOf(collector, (counts) => counts.received > 0);
      clearInterval(flood);
      const { received, accepted } = await countsOf(collector, (counts) => counts.queued === 0);
      equal(accepted, received);
      await until(() => trapRows(output.batches).length >= accepted);
      await collector.stop();
    }
  });
});

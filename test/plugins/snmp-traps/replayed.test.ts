import { deepEqual } from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createNotificationSender } from '../../../src/snmp/index.ts';
import { findFreeUdpPorts, untilUdpPortIsFree } from '../../support/free-port.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { linkNotifications } from './trap-stack.ts';

const engineId = Buffer.from('80001f880473776974636831', 'hex');
const user = { name: 'ops', authProtocol: 'sha256', authPassphrase: 'passphrase-of-ops' } as const;

/** What a signed trap with this uptime looks like on the wire. */
async function capture(test: TestContext, boots: number, uptime: number): Promise<Buffer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  test.after(() => socket.close());
  await once(socket, 'listening');
  const target = { address: '127.0.0.1', port: socket.address().port, version: '3', user } as const;
  const sender = createNotificationSender(target, { engine: { id: engineId, boots } });
  test.after(() => sender.close());
  const [[datagram]] = await Promise.all([
    once(socket, 'message'),
    sender.trap({
      oid: '1.3.6.1.6.3.1.1.5.4',
      uptime,
      varbinds: [],
      agentAddress: undefined,
      enterprise: undefined,
    }),
  ]);
  return datagram;
}

async function sendFrom(test: TestContext, address: string, port: number): Promise<(octets: Buffer) => void> {
  const socket = createSocket('udp4').bind(0, address);
  test.after(() => socket.close());
  await once(socket, 'listening');
  return (octets) => socket.send(octets, port, '127.0.0.1');
}

describe('a captured signed trap', () => {
  it('is not accepted from another address, nor after kill -9 and a restart', async (test) => {
    const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications });
    const state = temporaryFolder(test);
    const file = join(state, 'traps.ndjson');
    const [port = 0] = await findFreeUdpPorts(1);
    const child = modulePath(new URL('traps-child.ts', import.meta.url));
    const words = [state, folder.path, file, String(port), 'accepted'];
    let running: ChildProcess | undefined;
    test.after(() => running?.kill('SIGKILL'));
    const start = async () => {
      running = fork(child, words, { execArgv: [...nodeOptions] });
      await once(running, 'message');
    };
    const kill = async () => {
      const exited = once(running!, 'exit');
      running!.kill('SIGKILL');
      await exited;
      await untilUdpPortIsFree(port);
    };
    // A record that a kill interrupts is written again, under the same id.
    const uptimes = () =>
      existsSync(file)
        ? [
            ...new Map(
              readFileSync(file, 'utf8')
                .split('\n')
                .filter((line) => line.endsWith('}'))
                .map((line) => JSON.parse(line))
                .map((record) => [record.trap_id, record.values['trap.uptime'] / 10]),
            ).values(),
          ]
        : [];
    const own = await sendFrom(test, '127.0.0.1', port);
    const foreign = await sendFrom(test, '127.0.0.2', port);
    const replay = (captured: readonly Buffer[]) => {
      for (const octets of captured) for (const send of [own, foreign]) send(octets);
    };
    const captured = await Promise.all([3, 4].map((boots, i) => capture(test, boots, i + 1)));
    const unsent = await capture(test, 3, 50);

    await start();
    for (const [position, octets] of captured.entries()) {
      own(octets);
      await until(() => uptimes().length === position + 1);
    }
    for (const round of [1, 2]) {
      replay([...captured, unsent]);
      const fresh = await capture(test, 4, 10 * round);
      own(fresh);
      captured.push(fresh);
      await until(() => uptimes().includes(10 * round));
      await kill();
      // As a kill amid a line leaves it.
      appendFileSync(join(state, 'snmp-traps', 'signed.log'), 't 0123');
      await start();
    }
    replay([...captured, unsent]);
    own(await capture(test, 4, 99));
    await until(() => uptimes().includes(99));
    deepEqual(
      [...uptimes()].sort((a, b) => a - b),
      [1, 2, 10, 20, 99],
    );
    await kill();
  });
});

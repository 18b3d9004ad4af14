import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { findPassedSockets } from '../../../plugins/snmp-traps/receiving/passed-sockets.ts';
import { explainError } from '../../../src/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { missingTool } from '../../support/needs.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { startTraps } from './trap-stack.ts';

describe('a socket of systemd', () => {
  it('is found by its name, also several with the same one', () => {
    const env = { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'traps:other:traps' };
    const place = { address: '0.0.0.0', port: 0 };
    deepEqual(findPassedSockets('traps', { env, pid: 7 }), [
      { ...place, fd: 3 },
      { ...place, fd: 5 },
    ]);
    equal(findPassedSockets('wrong', { env, pid: 7 }), 'LISTEN_FDNAMES has traps, other, traps');
    equal(
      findPassedSockets('traps', { env: { ...env, LISTEN_FDS: '0' }, pid: 7 }),
      'LISTEN_FDNAMES has no names',
    );
    equal(
      findPassedSockets('traps', { env, pid: 8 }),
      'LISTEN_PID is 7, which is another process than this one, 8',
    );
    equal(findPassedSockets('traps', { env: {}, pid: 8 }), 'LISTEN_PID is not set, so systemd passed none');
  });

  it('that was not passed ends the start, and so does an entry with an address and a socket', async (test) => {
    for (const [entry, expected] of [
      [
        { socket: 'traps' },
        /The socket "traps" of snmp-traps was not passed to this process: LISTEN_PID is not set/,
      ],
      [{ socket: 'traps', port: 162 }, /names no address of this host: \{"socket":"traps","port":162\}/],
      [{ address: '127.0.0.1' }, /names no address of this host: \{"address":"127.0.0.1"\}/],
    ] as const) {
      await startTraps(test, { traps: { listen: [entry] } }).then(
        () => match('it started', expected),
        (error: unknown) => match(explainError(error), expected),
      );
    }
  });

  it('receives what is sent to its address, in a process that has no right to it', {
    skip: missingTool('python3'),
  }, async (test) => {
    const child = modulePath(new URL('passed-socket-child.ts', import.meta.url));
    // Opens the socket as descriptor 3 and becomes the collector, as systemd does.
    const launcher = `import os, socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
if s.fileno() == 3: os.set_inheritable(3, True)
else: os.dup2(s.fileno(), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="snmp-traps")
os.execvp(sys.argv[1], sys.argv[1:])`;
    const process_ = spawn('python3', ['-c', launcher, process.execPath, ...nodeOptions, child], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    test.after(() => process_.kill('SIGKILL'));
    let text = '';
    const socket = createSocket('udp4');
    test.after(() => socket.close());
    for await (const part of process_.stdout.setEncoding('utf8')) {
      text += part;
      const [port, ready, received] = text.split('\n');
      if (received) break;
      if (ready === 'ready') socket.send('hello', Number(port), '127.0.0.1');
    }
    const [port, , received] = text.split('\n');
    equal(received, `hello from 127.0.0.1 on 127.0.0.1 port ${port}`);
    const exited = once(process_, 'exit');
    process_.kill('SIGKILL');
    await exited;
  });

  it('comes from systemd itself: the program that starts this one at the first datagram', {
    skip: missingTool('systemd-socket-activate'),
  }, async (test) => {
    const child = modulePath(new URL('passed-socket-child.ts', import.meta.url));
    const [port = 0] = await findFreeUdpPorts(1);
    const options = ['--datagram', `--listen=127.0.0.1:${port}`, '--fdname=snmp-traps'];
    const activator = spawn(
      'systemd-socket-activate',
      [...options, process.execPath, ...nodeOptions, child],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    test.after(() => activator.kill('SIGKILL'));
    const socket = createSocket('udp4');
    test.after(() => socket.close());
    // The datagram that starts it waits in the socket.
    const again = setInterval(() => socket.send('hello', port, '127.0.0.1'), 100);
    test.after(() => clearInterval(again));
    let text = '';
    for await (const part of activator.stdout.setEncoding('utf8')) {
      text += part;
      if (text.split('\n').length > 2) break;
    }
    clearInterval(again);
    deepEqual(text.split('\n').slice(0, 2), ['ready', `hello from 127.0.0.1 on 127.0.0.1 port ${port}`]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreeUdpPorts } from './free-port.ts';

/** Debian's agent with a directory, a port and a memory of its own. */
export interface Snmpd extends AsyncDisposable {
  readonly port: number;
  /** Stops and starts it again: its boots grow by one. Other lines take the place of the old ones. */
  restart(lines?: readonly string[]): Promise<void>;
  /** Forgets boots and keys before the next start, as a device does that lost its flash. */
  forget(): Promise<void>;
}

/** Answers once the promise has resolved. `lines` are those of snmpd.conf; `modules` are those to load, all by default. */
export async function startSnmpd(lines: readonly string[], modules: readonly string[] = []): Promise<Snmpd> {
  const directory = await mkdtemp(join(tmpdir(), 'snmpd-'));
  const memory = join(directory, 'memory');
  const port = (await findFreeUdpPorts(1))[0]!;
  let stop = await launch(directory, memory, port, lines, modules);
  let current = lines;
  return {
    port,
    async restart(changed = current) {
      current = changed;
      await stop();
      stop = await launch(directory, memory, port, current, modules);
    },
    async forget() {
      await stop();
      await rm(memory, { recursive: true, force: true });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function launch(
  directory: string,
  memory: string,
  port: number,
  lines: readonly string[],
  modules: readonly string[],
): Promise<() => Promise<void>> {
  await mkdir(memory, { recursive: true });
  await writeFile(join(directory, 'snmpd.conf'), `${lines.join('\n')}\n`);
  const only = modules.length === 0 ? [] : ['-I', modules.join(',')];
  const agent = spawn('snmpd', ['-f', '-Lo', '-r', '-m', '', ...only, `udp:127.0.0.1:${port}`], {
    env: { PATH: process.env['PATH'], SNMPCONFPATH: `${directory}:${memory}`, SNMP_PERSISTENT_DIR: memory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(agent, 'exit');
  let log = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [agent.stdout, agent.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('NET-SNMP version')) resolve();
      });
    }
  });
  const failed = exited.then(() => {
    throw new Error(`snmpd ended before it was ready: ${log}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => {});
  return async () => {
    agent.kill('SIGTERM');
    await exited;
  };
}

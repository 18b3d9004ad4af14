import { type ChildProcess, execFile, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommunityCodec, type Varbind } from '../../src/snmp/index.ts';
import { definitionsOf } from '../poller/bench-folder.ts';
import { alikeDevices, writeDefinitions } from '../poller/interface-definitions.ts';
import { writeInventories } from '../poller/inventories.ts';
import { findFreePort } from '../support/processes.ts';
import type { PhaseFigures } from './flood-child.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

export const trapd = '/usr/sbin/snmptrapd';
export const [devices, interfaces, everySeconds] = [1_000, 24, 20];
const receiveBufferBytes = 4 << 20;
/** What waits in sockets and queues is written when no record came for this time, which is not a part of the drain. */
const quietMs = 2_000;
const maxDrainMs = 60_000;

/** A receiver of notifications in a process of its own. */
export interface Receiver {
  readonly port: number;
  begin(): Promise<void>;
  /** CPU time since `begin`, of all its threads. */
  end(): Promise<{ readonly cpuUs: number } & Partial<PhaseFigures>>;
  /** The records that it writes. */
  readonly file?: string;
  /** How many notifications with this sysUpTime are in its file. */
  countRecords(uptime: number): Promise<number>;
  close(): Promise<void>;
}

async function count(file: string, pattern: string): Promise<number> {
  // grep ends with 1 when it finds nothing.
  const { stdout } = await run('grep', ['-c', pattern, file]).catch(({ stdout }) => ({ stdout }));
  return Number(stdout);
}

async function hear<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended with code ${code}.`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as T;
  } finally {
    over.abort();
    ended.catch(() => {});
  }
}

/** The built collector with the plugin snmp-traps, with more options of it, and the output ndjson. It polls the devices of the agent meanwhile. */
export async function startCollectorChild(
  folder: string,
  agentPort: number,
  traps: object = {},
): Promise<Receiver> {
  const port = await findFreePort();
  const fleet = alikeDevices(devices, agentPort, everySeconds);
  mkdirSync(folder);
  writeDefinitions(folder, fleet);
  writeInventories(folder, fleet, interfaces);
  const notifications = join(definitionsOf(folder), 'notifications');
  mkdirSync(notifications);
  writeFileSync(
    join(notifications, 'link.yml'),
    `IF-MIB::linkDown:
  oid: .1.3.6.1.6.3.1.1.5.3
  severity: error
  message: "{netif.name|netif} is down"
IF-MIB::linkUp:
  oid: .1.3.6.1.6.3.1.1.5.4
  message: "{netif.name|netif} is up"
  aim: { poll: [IF-MIB::ifEntry] }
SNMPv2-MIB::coldStart: { oid: .1.3.6.1.6.3.1.1.5.1, aim: { rediscover: true } }
`,
  );
  const child = fork(here('flood-child.ts'), [folder, String(port), JSON.stringify(traps)], {
    execArgv: ['--import', 'tsx'],
  });
  await hear(child);
  // The first polls of all devices are over.
  await sleep(1000 * (everySeconds + 2));
  const ask = <T>(message: string) => {
    child.send(message);
    return hear<T>(child);
  };
  return {
    port,
    file: join(folder, 'records.ndjson'),
    begin: () => ask('begin'),
    end: () => ask<PhaseFigures>('end'),
    countRecords: (uptime) => count(join(folder, 'records.ndjson'), `"trap.uptime":${uptime},`),
    async close() {
      child.send('close');
      await once(child, 'exit');
    },
  };
}

/** A socket of Node.js with the same receive buffer that only counts what comes. It does not tell notifications apart. */
export async function startBareSocket(): Promise<Receiver> {
  const child = fork(here('bare-child.ts'), [String(receiveBufferBytes)], { execArgv: ['--import', 'tsx'] });
  const { port } = await hear<{ readonly port: number }>(child);
  const ask = <T>(message: string) => {
    child.send(message);
    return hear<T>(child);
  };
  return {
    port,
    begin: () => ask('begin'),
    end: () => ask<{ cpuUs: number }>('end'),
    countRecords: () => ask<number>('count'),
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Debian's snmptrapd, which resolves no names and reads no MIBs, with the same receive buffer. It writes a line for each. */
export async function startTrapd(folder: string): Promise<Receiver> {
  const port = await findFreePort();
  mkdirSync(folder);
  const [conf, file] = [join(folder, 'snmptrapd.conf'), join(folder, 'traps.log')];
  writeFileSync(
    conf,
    `[snmp] serverRecvBuf ${receiveBufferBytes}\ndisableAuthorization yes\nformat2 %b %v\\n\n`,
  );
  const options = ['-f', '-n', '-On', '-m', '', '-C', '-c', conf, '-Lf', file, '-p', join(folder, 'pid')];
  const child = spawn(trapd, [...options, `udp:127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: { ...process.env, SNMP_PERSISTENT_DIR: folder },
  });
  await sleep(1_000);
  /** Its CPU time in microseconds: a tick is 10 ms. */
  const readCpuUs = () => {
    const [, user, system] = /\) \S(?: \S+){10} (\d+) (\d+)/.exec(
      readFileSync(`/proc/${child.pid}/stat`, 'latin1'),
    )!;
    return (Number(user) + Number(system)) * 10_000;
  };
  let beforeUs = 0;
  return {
    port,
    async begin() {
      beforeUs = readCpuUs();
    },
    end: async () => ({ cpuUs: readCpuUs() - beforeUs }),
    countRecords: (uptime) => count(file, `Timeticks: (${uptime})`),
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export function buildFlood(folder: string): string {
  const program = join(folder, 'flood');
  execFileSync('cc', ['-O2', '-o', program, here('../yardstick/flood.c')]);
  return program;
}

export interface Flood {
  readonly perSecond: number;
  readonly seconds: number;
  readonly sources: number;
  /** The first device that sends, by its number. */
  readonly first?: number;
  /** Marks the notifications of this flood. */
  readonly uptime: number;
  /** What is sent instead of a linkDown, and where four of its octets are others in each datagram. */
  readonly message?: Buffer;
  readonly at?: number;
}

const requestId = 0x01_00_00_00;

/** A linkDown of six varbinds, or another notification with them. */
export function encodeLinkDown(
  type: 'TrapV2' | 'InformRequest',
  uptime: number,
  { id = requestId, oid = '1.3.6.1.6.3.1.1.5.3' } = {},
): Buffer {
  const varbinds: Varbind[] = [
    { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: uptime },
    { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: oid },
    { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 },
    { oid: '1.3.6.1.2.1.2.2.1.7.7', type: 'Integer32', value: 1 },
    { oid: '1.3.6.1.2.1.2.2.1.8.7', type: 'Integer32', value: 2 },
    { oid: '1.3.6.1.2.1.2.2.1.2.7', type: 'OctetString', value: Buffer.from('GigabitEthernet0/7') },
  ];
  return new CommunityCodec().encode({
    version: '2c',
    community: Buffer.from('public'),
    pdu: { type, requestId: id, errorStatus: 0, errorIndex: 0, varbinds },
  });
}

/** What the collector does without notifications. */
export async function measureIdle(receiver: Receiver) {
  await receiver.begin();
  await sleep(1000 * everySeconds);
  return await receiver.end();
}

interface Flooded {
  readonly sent: number;
  readonly recorded: number;
}

/** Sends these floods at the same time, and says what became of each. */
export async function flood(program: string, receiver: Receiver, floods: readonly Flood[]) {
  const { port } = receiver;
  await receiver.begin();
  const begunMs = performance.now();
  const dropsBefore = readKernelDrops(port);
  const sent = await Promise.all(
    floods.map(async ({ perSecond, seconds, first = 0, sources, uptime, ...given }) => {
      const message = given.message ?? encodeLinkDown('TrapV2', uptime);
      const at = given.at ?? message.indexOf(Buffer.of(2, 4, 1, 0, 0, 0)) + 2;
      const words = [port, perSecond, seconds, first, sources, message.toString('hex'), at].map(String);
      return Number((await run(program, words)).stdout);
    }),
  );
  const countAll = async (): Promise<readonly Flooded[]> =>
    Promise.all(
      floods.map(async ({ uptime }, position) => ({
        sent: sent[position]!,
        recorded: await receiver.countRecords(uptime),
      })),
    );
  const endedMs = performance.now();
  let [lastMs, total, results] = [endedMs, -1, await countAll()];
  for (
    let nowMs = endedMs;
    nowMs < Math.min(endedMs + maxDrainMs, lastMs + quietMs);
    nowMs = performance.now()
  ) {
    await sleep(quietMs / 4);
    results = await countAll();
    const recorded = results.reduce((sum, each) => sum + each.recorded, 0);
    if (recorded !== total) [lastMs, total] = [performance.now(), recorded];
  }
  const measuredSeconds = (performance.now() - begunMs) / 1000;
  const figures = await receiver.end();
  const kernelDrops = readKernelDrops(port) - dropsBefore;
  return {
    ...figures,
    measuredSeconds,
    kernelDrops,
    results,
    drainSeconds: Math.round((lastMs - endedMs) / 100) / 10,
  };
}

/** Datagrams that the kernel dropped because the buffer of the socket with this port was full. */
function readKernelDrops(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/udp', 'latin1').split('\n');
  const line = lines.find((each) => each.trim().split(/\s+/)[1]?.endsWith(suffix));
  return Number(line?.trim().split(/\s+/).at(-1) ?? 0);
}

export const share = ({ recorded, sent }: Flooded) =>
  Number(((100 * recorded) / Math.max(1, sent)).toFixed(2));

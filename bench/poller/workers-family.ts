import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BenchAgent, findFreePort } from '../support/processes.ts';
import { definitionsOf, stateOf } from './bench-folder.ts';
import { alikeDevices, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ticksPerSecond = 100;

/** Devices that are alike, in a folder of their own. */
export interface WorkersFleet {
  readonly folder: string;
  readonly agent: BenchAgent;
  readonly count: number;
  readonly interfaces: number;
  readonly everySeconds: number;
}

/** Of a parent and its workers, or of a process that is alone. The CPU time of the agent that answers does not count. */
export interface Measurement {
  readonly values: number;
  readonly cpuSeconds: number;
  /** Of the process that used most. */
  readonly busiestCpuSeconds: number;
  readonly memoryMiB: number;
}

export interface WorkersTimes {
  /** Before the measurement: every device is polled at least once. */
  readonly settleSeconds: number;
  readonly windowSeconds: number;
}

/** Starts a collector with this number of workers, and measures it for a while. */
export async function measureWorkers(
  fleet: WorkersFleet,
  workers: number,
  { settleSeconds, windowSeconds }: WorkersTimes,
): Promise<Measurement> {
  const { folder, agent, count, interfaces, everySeconds } = fleet;
  const devices = alikeDevices(count, agent.port, everySeconds);
  rmSync(stateOf(folder), { recursive: true, force: true });
  rmSync(definitionsOf(folder), { recursive: true, force: true });
  writeDefinitions(folder, devices);
  writeInventories(folder, devices, interfaces);
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const config = join(folder, 'waywiser.yml');
  writeFileSync(
    config,
    `state_directory: ${stateOf(folder)}
log_level: warn
plugins:
  definitions-loader: { shipped: false, directories: [${definitionsOf(folder)}] }
  snmp-poller: {}
  http-api: { port: ${new URL(url).port} }
`,
  );
  const words = [join(root, 'dist/cli/main.js'), 'start', '--config', config, '--workers', String(workers)];
  const child = spawn(execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await waitUntilOwned(url);
    await sleep(1_000 * settleSeconds);
    const pids = listFamily(child);
    const before = { values: await readValues(url), cpu: pids.map(cpuSecondsOf) };
    await sleep(1_000 * windowSeconds);
    const used = pids.map((pid, i) => cpuSecondsOf(pid) - before.cpu[i]!);
    return {
      values: (await readValues(url)) - before.values,
      cpuSeconds: used.reduce((sum, each) => sum + each, 0),
      busiestCpuSeconds: Math.max(...used),
      memoryMiB: pids.reduce((sum, pid) => sum + memoryOf(pid), 0),
    };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function waitUntilOwned(url: string): Promise<void> {
  for (;;) {
    const { unownedShards } = await fetch(`${url}/api/v1/cluster`)
      .then((answer) => answer.json() as Promise<{ unownedShards: number }>)
      .catch(() => ({ unownedShards: 1 }));
    if (unownedShards === 0) return;
    await sleep(200);
  }
}

/** Over all processes. */
async function readValues(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(/^waywiser_poll_values_total(?:\{[^}]*\})? (\d+)$/gm)].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );
}

function listFamily({ pid }: ChildProcess): number[] {
  const below = readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && parentOf(each) === pid);
  return [pid!, ...below];
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(fieldsOf(pid)[1]);
  } catch {
    return undefined;
  }
}

function cpuSecondsOf(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Of /proc/PID/stat, after the name of the program. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** What several processes share, such as the program itself, is divided between them. */
function memoryOf(pid: number): number {
  const [, kib = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
  return Number(kib) / 1024;
}

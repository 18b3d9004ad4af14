import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { findFreePort, makeWorkshop, startFastAgent } from '../support/processes.ts';
import { definitionsOf, stateOf } from './bench-folder.ts';
import { alikeDevices, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';

/**
 * The same fleet in one process, with two workers and with four, in turn. How much more workers can do is measured in CPU time, so that it does
 * not depend on what else runs on the machine: the process that needs most of a core is the one that limits the fleet.
 */
const [count, interfaces, everySeconds, windowSeconds, rounds] = [2_000, 60, 10, 20, 2];
const root = fileURLToPath(new URL('../../', import.meta.url));
const ticksPerSecond = 100;

interface Measurement {
  readonly values: number;
  readonly cpuSeconds: number;
  /** Of the process that used most. */
  readonly busiestCpuSeconds: number;
  readonly memoryMiB: number;
}

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const devices = alikeDevices(count, agent.port, everySeconds);
  writeDefinitions(workshop.folder, devices);
  const measured = new Map<number, Measurement[]>([0, 2, 4].map((workers) => [workers, []]));
  for (let round = 0; round < rounds; round++)
    for (const [workers, results] of measured) {
      rmSync(stateOf(workshop.folder), { recursive: true, force: true });
      writeInventories(workshop.folder, devices, interfaces);
      results.push(await measure(workshop.folder, workers));
    }
  const one = measured.get(0)!;
  for (const [workers, results] of measured) {
    const perMillion = (of: readonly Measurement[], read: (each: Measurement) => number) =>
      of.reduce((sum, each) => sum + read(each), 0) / of.reduce((sum, each) => sum + each.values / 1e6, 0);
    const busiest = perMillion(results, ({ busiestCpuSeconds }) => busiestCpuSeconds);
    const memory = (of: readonly Measurement[]) =>
      of.reduce((sum, each) => sum + each.memoryMiB, 0) / of.length;
    const capacity = perMillion(one, ({ busiestCpuSeconds }) => busiestCpuSeconds) / busiest;
    const memoryRatio = memory(results) / memory(one);
    printFigure(workers === 0 ? 'one process' : `${workers} workers`, {
      values: results.map(({ values }) => values),
      cpuSecondsPerMillionValues: round2(perMillion(results, ({ cpuSeconds }) => cpuSeconds)),
      busiestCpuSecondsPerMillionValues: round2(busiest),
      capacity: round2(capacity),
      memoryMiB: Math.round(memory(results)),
      memoryRatio: round2(memoryRatio),
      ...(workers === 2 ? { goal: 1.8, reached: capacity >= 1.8 } : {}),
      ...(workers === 4 ? { memoryGoal: 1.5, reached: memoryRatio <= 1.5 } : {}),
    });
  }
} finally {
  agent.process.kill();
  workshop.remove();
}

async function measure(folder: string, workers: number): Promise<Measurement> {
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
  const words = [
    join(root, 'dist/src/cli/main.js'),
    'start',
    '--config',
    config,
    '--workers',
    String(workers),
  ];
  const child = spawn(execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    await waitUntilOwned(url);
    await sleep(2_500 * everySeconds);
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

function round2(value: number): number {
  return Number(value.toFixed(2));
}

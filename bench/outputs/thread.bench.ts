import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { cpuUsage, pid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, Plugin } from '../../src/index.ts';
import { buildCode, importBuilt } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { createInterfaceBatches } from './interface-batches.ts';
import { startCounterpart } from './rows/counterpart.ts';

/**
 * What an output takes from the thread that polls, with `thread` and without, for groups of 500 batches of 48 interfaces: its time on
 * the processor, and how late it makes a timer. The receiver is a process of its own and costs nothing here.
 */
buildCode();
const { startTestCollector } =
  await importBuilt<typeof import('../../src/testing/index.ts')>('src/testing/index.ts');
const { pipelineToken } = await importBuilt<typeof import('../../src/index.ts')>('src/index.ts');
const [warmGroups, groups] = [4, 6];
const template: readonly Batch[] = [...createInterfaceBatches(500)];
const values = template.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0);
const timerMs = 1;

const folder = await mkdtemp(join(tmpdir(), 'waywiser-bench-'));
using receiver = await startCounterpart('receiver-process.ts');
const url = `http://127.0.0.1:${receiver.port}`;
try {
  for (const [name, options] of [
    ['elasticsearch', { url, gzip: false }],
    ['otlp', { url, gzip: false }],
    ['prometheus-remote-write', { url }],
    ['influx', { url, gzip: false, database: 'snmp' }],
    ['http', { url, gzip: false }],
    ['ndjson', { file: join(folder, 'records.ndjson') }],
  ] as const) {
    for (const thread of [false, true]) await measure(name, { ...options, thread });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(name: string, options: { readonly thread: boolean }): Promise<void> {
  const { default: plugin } = await importBuilt<{ default: Plugin }>(`plugins/outputs/${name}/index.ts`);
  const collector = await startTestCollector({
    plugins: [{ plugin, options: { ...options, delivery: { group_wait_ms: 0 } } }],
  });
  const pipeline = collector.getService(pipelineToken);
  const poll = async (sequence: number) => {
    const { delivered } = pipeline.counters.outputs[name]!;
    for (const batch of template) {
      const slotMs = batch.slotMs + 60_000 * sequence;
      pipeline.push({ ...batch, slotMs, timeMs: slotMs + 200, sequence });
    }
    while (pipeline.counters.outputs[name]!.delivered < delivered + template.length) await sleep(1);
  };
  for (let sequence = 1; sequence <= warmGroups; sequence++) await poll(sequence);
  const delay = monitorEventLoopDelay({ resolution: timerMs });
  delay.enable();
  const begun = { all: cpuUsage(), ownMs: ownCpuMs() };
  for (let sequence = 1; sequence <= groups; sequence++) await poll(warmGroups + sequence);
  const { user, system } = cpuUsage(begun.all);
  const ownMs = ownCpuMs() - begun.ownMs;
  delay.disable();
  await collector.stop();
  const perMillion = (ms: number) => Math.round((1e6 * ms) / (groups * values));
  const lateMs = (nanoseconds: number) => Math.round(nanoseconds / 1e5 - 10 * timerMs) / 10;
  printFigure(`${name}${options.thread ? ' in a thread' : ''}`, {
    pollingThreadCpuMsPerMillionValues: perMillion(ownMs),
    cpuMsPerMillionValues: perMillion((user + system) / 1e3),
    lateP99Ms: lateMs(delay.percentile(99)),
    lateMaxMs: lateMs(delay.max),
  });
}

/** CPU time of this thread only, as Linux counts it. */
function ownCpuMs(): number {
  const [nanoseconds = '0'] = readFileSync(`/proc/self/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EtcdServer } from '../../test/plugins/cluster/support/etcd-server.ts';
import { Ending } from '../../test/plugins/cluster/support/start-fleet.ts';
import { definitionsOf, stateOf } from '../poller/bench-folder.ts';
import { alikeDevices, writeDefinitions } from '../poller/interface-definitions.ts';
import { writeInventories } from '../poller/inventories.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { findFreePort, makeWorkshop, startFastAgent } from '../support/processes.ts';

/** 100,000 devices that four members share through Debian's etcd: what etcd has to write, and how long it takes until others have the devices. */
const [count, interfaces, everySeconds, restSeconds] = [100_000, 2, 300, 30];
const names = ['a', 'b', 'c', 'd'] as const;
const shardCount = 1024;
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface BenchMember {
  readonly name: string;
  readonly url: string;
  readonly child: ChildProcess;
}

buildCode();
const workshop = makeWorkshop();
const ending = new Ending();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const devices = alikeDevices(count, agent.port, everySeconds);
  writeDefinitions(workshop.folder, devices);
  const etcd = await EtcdServer.start(ending);
  // The first member knows all devices; the others get their inventories through etcd.
  writeInventories(join(workshop.folder, names[0]), devices, interfaces);
  const [first, ...others] = names;
  const members = [await startMember(first, etcd.url)];
  await until(async () => (await countSlots(members)) === count);
  const joinedMs = performance.now();
  members.push(...(await Promise.all(others.map((name) => startMember(name, etcd.url)))));
  await until(async () => (await ownersOf(etcd)).size === names.length && (await isWhole(etcd, members)));
  const movedSeconds = secondsSince(joinedMs);

  await sleep(5_000);
  const [before, size] = [
    await countWrites(etcd),
    await readMetric(etcd, 'etcd_mvcc_db_total_size_in_bytes'),
  ];
  await sleep(1_000 * restSeconds);
  const writes = ((await countWrites(etcd)) - before) / restSeconds;
  printFigure('100,000 devices, 4 members: etcd writes per second in rest', {
    value: round(writes),
    goal: 100,
    reached: writes < 100,
    etcdMiB: size >> 20,
    memberMiB: members.map(({ child }) => memoryOf(child)),
    fromOneToFourSeconds: movedSeconds,
  });

  const leaving = members.pop()!;
  const moving = await countSlots([leaving]);
  const leftMs = performance.now();
  leaving.child.kill('SIGTERM');
  await until(async () => (await isOwned(etcd)) && !(await ownersOf(etcd)).has(leaving.name));
  const ownedSeconds = secondsSince(leftMs);
  await until(async () => (await countSlots(members)) === count);
  const seconds = secondsSince(leftMs);
  printFigure('100,000 devices, 4 members: one leaves and hands over, s', {
    value: seconds,
    goal: 10,
    reached: seconds <= 10,
    devices: moving,
    ownedSeconds,
    skippedSlots: await sumPolling(members, 'skippedSlots'),
  });
  for (const { child } of members) child.kill('SIGKILL');
} finally {
  agent.process.kill();
  await ending.end();
  workshop.remove();
}

async function startMember(name: string, etcd: string): Promise<BenchMember> {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const config = join(workshop.folder, `${name}.yml`);
  writeFileSync(
    config,
    `state_directory: ${stateOf(join(workshop.folder, name))}
log_level: warn
plugins:
  definitions-loader: { shipped: false, directories: [${definitionsOf(workshop.folder)}] }
  snmp-poller: {}
  http-api: { port: ${new URL(url).port} }
  cluster: { name: ${name}, advertise: '${url}', etcd: { endpoints: ['${etcd}'] } }
`,
  );
  const child = spawn(execPath, [main, 'start', '--config', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  ending.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return { name, url, child };
}

/** Every shard has an owner, and every device a slot. */
async function isWhole(etcd: EtcdServer, members: readonly BenchMember[]): Promise<boolean> {
  return (await isOwned(etcd)) && (await countSlots(members)) === count;
}

async function isOwned(etcd: EtcdServer): Promise<boolean> {
  const owned = [...(await ownersOf(etcd)).values()].reduce((sum, shards) => sum + shards, 0);
  return owned === shardCount;
}

/** How many shards each member owns. */
async function ownersOf(etcd: EtcdServer): Promise<Map<string, number>> {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const { kvs = [] } = await etcd.ask<{ kvs?: { value: string }[] }>('kv/range', {
    key: encode('/waywiser/shards/'),
    range_end: encode('/waywiser/shards0'),
  });
  const owners = new Map<string, number>();
  for (const { value } of kvs) {
    const { member } = JSON.parse(Buffer.from(value, 'base64').toString()) as { member: string };
    owners.set(member, (owners.get(member) ?? 0) + 1);
  }
  return owners;
}

function countSlots(members: readonly BenchMember[]): Promise<number> {
  return sumPolling(members, 'slots');
}

async function sumPolling(
  members: readonly BenchMember[],
  counter: 'slots' | 'skippedSlots',
): Promise<number> {
  const each = members.map(async ({ url }) => {
    const answer = await fetch(`${url}/api/v1/snmp/polling?scope=member`).catch(() => undefined);
    return answer?.ok === true ? ((await answer.json()) as Record<typeof counter, number>)[counter] : 0;
  });
  return (await Promise.all(each)).reduce((sum, value) => sum + value, 0);
}

function countWrites(etcd: EtcdServer): Promise<number> {
  return readMetric(etcd, 'etcd_server_proposals_committed_total');
}

async function readMetric({ url }: EtcdServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

function memoryOf({ pid }: ChildProcess): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kib) >> 10;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}

function secondsSince(fromMs: number): number {
  return round((performance.now() - fromMs) / 1000);
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

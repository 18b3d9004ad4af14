import assert from 'node:assert/strict';
import { kill } from 'node:process';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AskedDevices } from '../../plugins/cluster/support/asked-devices.ts';
import { DefinitionFolder } from '../../plugins/support/definition-folder.ts';
import { findFreePort } from '../../support/free-port.ts';
import { CollectorProcess } from './collector-process.ts';

export const everyMs = 1_000;

interface ClusterAnswer {
  readonly unownedShards: number;
  readonly members: readonly { readonly name: string; readonly shards: number; readonly devices: number }[];
}

/** Several processes work here, on a machine that may be busy. */
export async function waitFor(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isTrue()); turn++) {
    assert.ok(turn < 1_200, `not within two minutes: ${isTrue}`);
    await sleep(100);
  }
}

/** A collector whose workers ask every device each second. `plugins` are more lines of its configuration. */
export async function startWorkers(
  t: TestContext,
  deviceCount: number,
  workers: number,
  plugins = '',
  prepare: (collector: CollectorProcess) => void = () => {},
) {
  const devices = await AskedDevices.start(t, deviceCount);
  const definitions = new DefinitionFolder(t, { 'devices/all.yml': devices.toYaml() });
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const collector = new CollectorProcess(t);
  collector.write(
    'waywiser.yml',
    `workers: ${workers}
log_format: json
plugins:
  definitions-loader: { shipped: false, directories: [${definitions.path}] }
  snmp-client: { sockets: 1 }
  snmp-discovery: { starts_per_second: 1000 }
  snmp-poller: {}
  http-api: { port: ${new URL(url).port} }
  ndjson: {}
  prometheus: {}
  history: {}
${plugins}`,
  );
  prepare(collector);
  collector.run(['start']);
  const read = async (path: string) => await (await fetch(`${url}${path}`)).text();
  const cluster = async (): Promise<ClusterAnswer> => {
    // While a worker begins or ends, the answer may be an error.
    for (;;) {
      const answer = await fetch(`${url}/api/v1/cluster`);
      if (answer.ok) return (await answer.json()) as ClusterAnswer;
      await answer.text();
      await sleep(100);
    }
  };
  const owns = async () =>
    Object.fromEntries((await cluster()).members.map(({ name, shards }) => [name, shards]));
  await collector.reads('The collector is ready.');
  await waitFor(async () => (await cluster()).unownedShards === 0);
  await waitFor(() => [...devices.asked.values()].every((asked) => asked.length > 6));
  return { devices, definitions, collector, read, cluster, owns, url, pids: () => listPids(collector) };
}

/** The numbers of the processes that were started, by worker; the newest last. */
function listPids({ stderr }: CollectorProcess): Map<string, number> {
  const begun = [...stderr.matchAll(/"worker":"([^"]+)","pid":(\d+),"message":"A worker has begun/g)];
  return new Map(begun.map(([, worker, pid]) => [worker!, Number(pid)]));
}

export function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch {
    return false;
  }
}

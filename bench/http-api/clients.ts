import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./client-child.ts', import.meta.url));

export interface Load {
  readonly sockets: number;
  /** The number of all requests; with 0 the sockets read until the end. */
  readonly requests: number;
  readonly path: string;
}

/** Clients in a separate process, connected and waiting. */
export async function startClients(
  baseUrl: string,
  { sockets, requests, path }: Load,
): Promise<ChildProcess> {
  const child = fork(program, [baseUrl, String(sockets), String(requests), path], {
    execArgv: ['--import', 'tsx'],
  });
  await once(child, 'message');
  return child;
}

/** The CPU time of this process for the requests, and their duration as the clients measure it. */
export async function measureRequests(baseUrl: string, load: Load) {
  const child = await startClients(baseUrl, load);
  const begunMs = performance.now();
  const before = cpuUsage();
  child.send('go');
  const [times] = (await once(child, 'message')) as [{ readonly p50Ms: number; readonly p99Ms: number }];
  const { user, system } = cpuUsage(before);
  return { ...times, cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - begunMs) / 1000 };
}

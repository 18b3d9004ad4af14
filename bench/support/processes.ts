import { type ChildProcess, execFile, execFileSync, fork, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

export interface Measured {
  readonly varbinds: number;
  readonly packets?: number;
  readonly cpuSeconds: number;
}

/** Where compiled yardsticks go; removed at the end. */
export function makeWorkshop(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

export interface BenchAgent {
  readonly process: ChildProcess;
  readonly port: number;
}

export async function startFastAgent(folder: string, rows: number): Promise<BenchAgent> {
  const program = join(folder, 'fast-agent');
  execFileSync('cc', ['-O2', '-o', program, here('../yardstick/fast-agent.c')]);
  const port = await findFreePort();
  const agent = spawn(program, [String(port), String(rows)], { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(agent.stderr!, 'data');
  return { process: agent, port };
}

/** The agent would share a port that is in use, and each would get some of the other's requests. */
export async function findFreePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** A replay agent in a process of its own: one device for v2c and for the bench user. */
export async function startSecuredAgent(): Promise<BenchAgent> {
  const process = fork(here('../snmp/secured-agent.ts'), { execArgv: ['--import', 'tsx'] });
  const [port] = (await once(process, 'message')) as [number];
  return { process, port };
}

export function buildGosnmp(folder: string): string {
  const program = join(folder, 'gosnmp');
  const env = { ...process.env, GOPATH: '/usr/share/gocode', GO111MODULE: 'off' };
  execFileSync('go', ['build', '-o', program, '.'], { cwd: here('../yardstick/gosnmp'), env });
  return program;
}

export async function measureProgram(program: string, args: readonly (string | number)[]): Promise<Measured> {
  const { stdout } = await run(program, args.map(String));
  return JSON.parse(stdout);
}

/** What a script of bench/, by its path there, prints on its last line. */
export async function measureScript<Result = Measured>(
  path: string,
  ...args: readonly (string | number)[]
): Promise<Result> {
  const script = ['--import', 'tsx', here(`../${path}`), ...args.map(String)];
  const child = spawn(execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await text(child.stdout);
  const [last] = output.trim().split('\n').slice(-1);
  return JSON.parse(last!);
}

export function measureEngine(...args: readonly (string | number)[]): Promise<Measured> {
  return measureProgram(execPath, ['--import', 'tsx', here('../snmp/engine-child.ts'), ...args]);
}

export function measureNetSnmp(...args: readonly (string | number)[]): Promise<Measured> {
  return measureProgram(execPath, [here('../snmp/net-snmp-child.cjs'), ...args]);
}

export async function measureFloor(devices: number, inFlight: number, port: number): Promise<Measured> {
  const { varbinds, packets, cpu } = (await measureProgram(execPath, [
    here('../yardstick/floor.cjs'),
    devices,
    inFlight,
    75,
    port,
  ])) as unknown as { varbinds: number; packets: number; cpu: number };
  return { varbinds, packets, cpuSeconds: cpu };
}

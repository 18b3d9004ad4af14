import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What tells one process from every other one, also from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  /** Process numbers can be compared within it only: on Linux one boot and one container, elsewhere the host. */
  readonly scope: string;
  /** Linux: when the process started, in clock ticks since the boot. */
  readonly startTicks: string | undefined;
}

export function identifyThisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    startedAt: new Date(performance.timeOrigin).toISOString(),
    scope: readScope() ?? hostname(),
    startTicks: readRunning(process.pid)?.startTicks,
  };
}

/** Whether the process of `other` runs. `unknown` on another host, in another container, and where start times cannot be read. */
export function findProcessState(
  other: ProcessIdentity,
  own: ProcessIdentity,
): 'running' | 'ended' | 'unknown' {
  if (other.scope !== own.scope) return 'unknown';
  if (other.startTicks === undefined) {
    if (other.pid === own.pid && other.startedAt === own.startedAt) return 'running';
    return exists(other.pid) ? 'unknown' : 'ended';
  }
  const running = readRunning(other.pid);
  if (running !== undefined) return running.startTicks === other.startTicks ? 'running' : 'ended';
  // Some systems hide the processes of other users.
  return exists(other.pid) ? 'unknown' : 'ended';
}

function readScope(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Undefined where /proc does not show the process. A zombie, which has ended and waits for its parent, has no start time. */
function readRunning(pid: number): { readonly startTicks: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before the last bracket may contain anything.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { startTicks: 'ZX'.includes(state) ? undefined : rest[18] };
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

import { readFileSync, readlinkSync } from 'node:fs';
import type { ListenAddress } from '../../../src/snmp/index.ts';

/** The process that looks for sockets of systemd: its variables and its number. */
export interface SocketHolder {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
}

/** The first descriptor that systemd passes (sd_listen_fds(3)). */
const firstDescriptor = 3;

/** The sockets with this name that systemd has passed to the process, or why there are none. */
export function findPassedSockets(
  name: string,
  { env, pid }: SocketHolder,
): readonly ListenAddress[] | string {
  const { LISTEN_PID: forPid, LISTEN_FDS: count = '0', LISTEN_FDNAMES: names = '' } = env;
  if (forPid === undefined) return 'LISTEN_PID is not set, so systemd passed none';
  if (forPid !== String(pid))
    return `LISTEN_PID is ${forPid}, which is another process than this one, ${pid}`;
  const known = names.split(':').slice(0, Number(count));
  const found = known.flatMap((each, position) => (each === name ? [firstDescriptor + position] : []));
  if (found.length === 0) return `LISTEN_FDNAMES has ${known.filter(Boolean).join(', ') || 'no names'}`;
  return found.map((fd) => ({ address: isIpv6(fd) ? '::' : '0.0.0.0', port: 0, fd }));
}

/** The kernel lists sockets by family. Where it does not, IPv4 is the usual one. */
function isIpv6(fd: number): boolean {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`)) ?? [];
    if (inode === undefined) return false;
    return readFileSync('/proc/self/net/udp6', 'latin1').split(/\s+/).includes(inode);
  } catch {
    return false;
  }
}

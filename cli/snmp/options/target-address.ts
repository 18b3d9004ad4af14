import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { systemReasonOf } from '../../../src/kernel/system-reason.ts';
import { cliFailure, usageFailure } from '../../cli-errors.ts';

export interface TargetAddress {
  /** An address or a name. */
  readonly host: string;
  readonly port: number;
  /** 0: either. */
  readonly family: 0 | 4 | 6;
}

/** `192.0.2.1`, `[2001:db8::1]:1161`, `udp:switch.example:161` and their like. */
export function parseTargetAddress(text: string, defaultPort = '161'): TargetAddress {
  const [, prefix, rest] = /^(?:(udp|udp6|udpv6):)?(.*)$/s.exec(text)!;
  const family = prefix === undefined ? 0 : prefix === 'udp' ? 4 : 6;
  const [host, portText = defaultPort] = splitPort(rest!);
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0;
  const isName = /^[\w.-]+$/.test(host);
  const actual = isIP(host);
  const fits = actual === 0 ? isName : family === 0 || family === actual;
  if (!fits || port < 1 || port > 65_535) throw usageFailure('TARGET_INVALID', { target: text });
  return { host, port, family };
}

/** Whether a target is an IP address, with or without a port. */
export function isAddress(text: string): boolean {
  try {
    return isIP(parseTargetAddress(text).host) !== 0;
  } catch {
    return false;
  }
}

/** The address of a target. IPv4 comes first where a name has both, as with net-snmp. */
export async function resolveTarget({ host, port, family }: TargetAddress): Promise<{
  readonly address: string;
  readonly port: number;
}> {
  if (isIP(host) !== 0) return { address: host, port };
  try {
    const { address } = await lookup(host, { family, order: 'ipv4first' });
    return { address, port };
  } catch (error) {
    throw cliFailure('HOST_UNKNOWN', { host, reason: systemReasonOf(error) });
  }
}

function splitPort(text: string): readonly [string, (string | undefined)?] {
  if (isIP(text) === 6) return [text];
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const isSound = bracketed === undefined || isIP(bracketed) === 6;
  return isSound ? [host, port] : [''];
}

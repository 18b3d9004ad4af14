import { isIP, SocketAddress } from 'node:net';
import { SnmpError } from '../snmp-error.ts';
import type { PeerSettings } from '../transport/flight.ts';
import type { UserSettings } from '../usm/user/user-settings.ts';

/** An agent's address and credentials, and how long to wait for it. */
export type Target = CommunityTarget | UserTarget;

export interface CommunityTarget extends TargetOptions {
  readonly version: '1' | '2c';
  readonly community: string;
}

export interface UserTarget extends TargetOptions {
  readonly version: '3';
  readonly user: UserSettings;
  /** The context name; the default context when absent. */
  readonly context?: string | undefined;
  /** The ID of the authoritative engine when absent. */
  readonly contextEngineId?: Buffer | undefined;
}

export interface TargetOptions {
  /** An IP address. Resolve host names first. */
  readonly address: string;
  /** 161 by default. */
  readonly port?: number | undefined;
  /** The longest time to wait for the reply to one attempt; 2,000 by default. Once the round trip is known, the wait is shorter. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; 2 by default. */
  readonly retries?: number | undefined;
  /** Whether every attempt may wait twice as long as the previous one. */
  readonly exponentialTimeout?: boolean | undefined;
  /** OIDs per GET or GETNEXT; 60 by default. */
  readonly maxOids?: number | undefined;
  /** The most repetitions per GETBULK; 100 by default. Within this limit, replies are filled up to `maxMessageBytes`. */
  readonly maxRepetitions?: number | undefined;
  /** Outstanding requests to this device; 2 by default. More than two only while it answers fast. */
  readonly maxConcurrentRequests?: number | undefined;
  /** The largest message that the network carries without fragmentation; 1,472 by default. */
  readonly maxMessageBytes?: number | undefined;
  /** `any`: replies may come from another address or port, as with some multi-homed agents. */
  readonly replyFrom?: 'target' | 'any' | undefined;
  /** Accepts the varbinds of a GET in another order. For agents that sort them; such replies are counted. */
  readonly toleratesOrder?: boolean | undefined;
}

/** The limits of one session, with defaults. */
export interface SessionLimits {
  readonly maxOids: number;
  readonly maxRepetitions: number;
  readonly maxMessageBytes: number;
  readonly toleratesOrder: boolean;
}

export function parsePeerSettings(target: Target): PeerSettings {
  const address = canonicalAddress(target.address);
  const family = isIP(address);
  const port = target.port ?? 161;
  if (family === 0) throw badTarget(target, 'the address is not an IP address; resolve host names first');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw badTarget(target, `${port} is not a port`);
  return {
    address,
    port,
    isIpv6: family === 6,
    acceptsAnySource: target.replyFrom === 'any',
    timeoutMs: target.timeoutMs ?? 2_000,
    retries: target.retries ?? 2,
    exponentialTimeout: target.exponentialTimeout ?? false,
    maxOutstanding: Math.max(1, target.maxConcurrentRequests ?? 2),
  };
}

export function parseLimits(target: Target): SessionLimits {
  return {
    maxOids: Math.max(1, target.maxOids ?? 60),
    maxRepetitions: Math.max(1, target.maxRepetitions ?? 100),
    maxMessageBytes: Math.max(484, target.maxMessageBytes ?? 1_472),
    toleratesOrder: target.toleratesOrder ?? false,
  };
}

/** How errors and tables name the target, such as `192.0.2.1:161`. */
export function nameTarget({ address, port }: { readonly address: string; readonly port: number }): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

export function badTarget(target: Target, reason: string, cause?: unknown): SnmpError {
  return new SnmpError(
    'SNMP_BAD_TARGET',
    { target: `${target.address}:${target.port ?? 161}`, reason },
    cause,
  );
}

/**
 * As the system writes the source of a reply: sources are compared as text. IPv4-mapped addresses become IPv4, because
 * IPv6 sockets do not send to them.
 */
function canonicalAddress(text: string): string {
  if (isIP(text) !== 6) return text;
  const [plain, zone] = text.split('%') as [string, string?];
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = /^::ffff:([\d.]+)$/.exec(address)?.[1];
  return mapped ?? (zone === undefined ? address : `${address}%${zone}`);
}

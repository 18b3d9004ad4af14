import { type ServiceToken, serviceToken } from '../../src/index.ts';
import type {
  EngineFinding,
  LearnedState,
  Session,
  SnmpSession,
  Target,
  TransportCounters,
  UserSettings,
} from '../../src/snmp/index.ts';

export type EngineName = 'waywiser' | 'net-snmp';

/** A session of either engine. Only our own has the fast road: `session.poll !== undefined` tells them apart. */
export type ClientSession = Session | (SnmpSession & { readonly poll?: undefined });

/** SNMP for every plugin, over a few shared sockets. */
export interface SnmpClient {
  /**
   * Opens a session by `engine`, by default the configured one. What was learned about the target before, even before a
   * restart, is known to it. Rejects with SNMP_BAD_TARGET; no packet is sent. The session ends with `close` or the client.
   */
  open(target: Target, engine?: EngineName): Promise<ClientSession>;
  /** Derives keys between other work, so that opening thousands of sessions stalls nothing. */
  prepareUsers(users: Iterable<UserSettings>): Promise<void>;
  /** What a device has taught us, in one context; undefined before it answered for the first time. */
  findLearned(subject: LearnedSubject): Learned | undefined;
  counters(): TransportCounters;
  /** Datagrams that the kernel dropped because our buffers were full; undefined where the system does not tell. */
  kernelDrops(): Promise<number | undefined>;
  /** What SNMPv3 engines do that a person should mend. */
  engineFindings(): readonly EngineFinding[];
}

export interface LearnedSubject {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** Of SNMPv3; the empty one by default. */
  readonly context?: string | undefined;
}

export interface Learned extends LearnedState {
  /** Requests that may be outstanding at once now; undefined while no session is open. */
  readonly window: number | undefined;
}

export const snmpClientToken: ServiceToken<SnmpClient> = serviceToken<SnmpClient>('snmp-client');

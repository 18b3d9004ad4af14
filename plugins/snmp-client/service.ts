import { type ServiceToken, serviceToken } from '../../src/index.ts';
import type {
  EngineFinding,
  EngineState,
  LearnedState,
  Session,
  SnmpSession,
  Target,
  TransportCounters,
  UserSettings,
} from '../../src/snmp/index.ts';

export type EngineName = 'waywiser' | 'net-snmp';

/** A session of either engine. Only the built-in engine has the fast path: check `session.poll !== undefined`. */
export type ClientSession = Session | (SnmpSession & { readonly poll?: undefined });

/** SNMP for every plugin, over a few shared sockets. */
export interface SnmpClient {
  /**
   * Opens a session with `engine`, by default the configured one. The session knows what was learned about the target before,
   * also before a restart. Sends no packet. Rejects with SNMP_BAD_TARGET. Call the session's `close`; stopping the client
   * closes all sessions.
   */
  open(target: Target, engine?: EngineName): Promise<ClientSession>;
  /** Derives keys between other work, so that opening thousands of sessions does not block the event loop. */
  prepareUsers(users: Iterable<UserSettings>): Promise<void>;
  /** The learned limits of a device in one context; undefined before its first reply. */
  findLearned(subject: LearnedSubject): Learned | undefined;
  /** What was learned about the device at an address, for the collector that asks it next. It contains no secrets. */
  exportDevice(address: string, port: number): LearnedDevice;
  importDevice(state: LearnedDevice): void;
  counters(): TransportCounters;
  /** Datagrams that the kernel dropped because the sockets' buffers were full; undefined where the system does not report it. */
  kernelDrops(): Promise<number | undefined>;
  /** The SNMPv3 engines of devices, by `address:port`, as signed messages have shown them, and when they last did. */
  engines(): readonly EngineState[];
  /** Faults of SNMPv3 engines that should be fixed on the devices. */
  engineFindings(): readonly EngineFinding[];
}

export interface LearnedSubject {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** The SNMPv3 context; empty by default. */
  readonly context?: string | undefined;
}

/** Everything that was learned about a device, in all its contexts. */
export interface LearnedDevice {
  /** By subject: the target, or the target and a context. */
  readonly learned: Readonly<Record<string, unknown>>;
  readonly engines: readonly EngineState[];
}

export interface Learned extends LearnedState {
  /** Requests that may be outstanding now; undefined while no session is open. */
  readonly window: number | undefined;
}

export const snmpClientToken: ServiceToken<SnmpClient> = serviceToken<SnmpClient>('snmp-client');

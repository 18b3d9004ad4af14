import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../timing/clock.ts';
import { EngineCore } from '../peer/engine-core.ts';
import { SharedPeers } from '../peer/shared-peers.ts';
import type { Target } from '../peer/target.ts';
import type { TransportCounters } from '../transport/counters.ts';
import { Transport } from '../transport/transport.ts';
import { SaltSource } from '../usm/crypto/salt-source.ts';
import type { EngineFinding } from '../usm/engine/engine-finding.ts';
import { type EngineState, EngineTable } from '../usm/engine/engine-table.ts';
import { UserSecurity } from '../usm/manager/user-security.ts';
import { PreparedUsers } from '../usm/user/prepared-users.ts';
import type { UserSettings } from '../usm/user/user-settings.ts';
import { DeviceSession } from './device-session.ts';
import type { Session, SnmpEngine } from './snmp-session.ts';

export interface ManagerOptions {
  /** Sockets per address family; 2 by default. */
  readonly sockets?: number | undefined;
  /** Datagrams per second to all devices; no limit by default. */
  readonly packetsPerSecond?: number | undefined;
  /** Outstanding requests to all devices; 4,096 by default. */
  readonly maxInFlight?: number | undefined;
  /** The largest share of retransmissions among the datagrams of ten seconds; 0.2 by default. */
  readonly retryShare?: number | undefined;
  /** Retransmissions that are always allowed within ten seconds; 200 by default. */
  readonly retryFloor?: number | undefined;
  /** 8 MiB by default; the system may grant less (net.core.rmem_max). */
  readonly receiveBufferBytes?: number | undefined;
  /** Whether all sessions to one address and port share the limit of outstanding requests; by default each has its own. */
  readonly countsByDevice?: boolean | undefined;
  /** Checked for every datagram, repeated ones too: while it is false, requests fail with SNMP_NOT_SENT. */
  readonly maySend?: (() => boolean) | undefined;
  /** The system's clock by default. */
  readonly clock?: Clock | undefined;
}

/** Opens many sessions over a few sockets. */
export interface Manager extends SnmpEngine {
  /** @param onClose called once, when the session or the manager is closed */
  open(target: Target, onClose?: (session: Session) => void): Session;
  /** Derives the users' keys in advance, between other work, so that `open` is fast. */
  prepareUsers(users: Iterable<UserSettings>): Promise<void>;
  counters(): TransportCounters;
  /** Datagrams that the kernel dropped because the sockets' buffers were full; undefined where the system does not report it. */
  kernelDrops(): Promise<number | undefined>;
  /** Faults of SNMPv3 engines that should be fixed on the devices. */
  engineFindings(): EngineFinding[];
  /** Engine IDs, boots and times of all targets, or of those with these names. It contains no secrets. */
  exportEngines(names?: Iterable<string>): EngineState[];
  /** As `exportEngines`, with when a signed message has shown each one last: not what a restart has only restored. */
  listEngines(): EngineState[];
  restoreEngines(states: Iterable<EngineState>): void;
  /** Forgets the engine of the target with this name. */
  forgetEngine(name: string): void;
}

/** Creates Waywiser's own engine. The first request opens the sockets. */
export function createManager(options: ManagerOptions = {}): Manager {
  const clock = options.clock ?? systemClock;
  const bufferBytes = options.receiveBufferBytes ?? 8 << 20;
  const transport = new Transport(
    clock,
    {
      packetsPerSecond: options.packetsPerSecond ?? Number.POSITIVE_INFINITY,
      maxInFlight: options.maxInFlight ?? 4_096,
      retryShare: options.retryShare ?? 0.2,
      retryFloor: options.retryFloor ?? 200,
    },
    { socketsPerFamily: options.sockets ?? 2, receiveBufferBytes: bufferBytes, sendBufferBytes: bufferBytes },
    options.maySend,
  );
  const engines = new EngineTable();
  const preparedUsers = new PreparedUsers();
  const security = new UserSecurity(new SaltSource(randomBytes(8)), transport.counters.tolerated);
  const core = new EngineCore(transport, security, engines, preparedUsers);
  if (options.countsByDevice) core.peers = new SharedPeers();
  const sessions = new Set<DeviceSession>();
  return {
    open(target, onClose) {
      const session = new DeviceSession(core, target, (closed) => {
        sessions.delete(closed);
        onClose?.(closed);
      });
      sessions.add(session);
      return session;
    },
    prepareUsers: (users) => preparedUsers.prepare(users),
    counters: () => transport.snapshot(),
    kernelDrops: () => transport.readKernelDrops(),
    engineFindings: () => engines.findings(),
    exportEngines: (names) => engines.exportState(clock.now(), clock.wallNow(), names),
    listEngines: () => engines.listShown(clock.now(), clock.wallNow()),
    restoreEngines: (states) => engines.restoreState(states, clock.now(), clock.wallNow()),
    forgetEngine: (name) => engines.forget(name),
    close() {
      for (const session of [...sessions]) session.close();
      transport.close();
    },
  };
}

import type { DefinitionChanges, Problem } from './definition-changes.ts';
import type { DeviceRef, DeviceState } from './device.ts';
import type { GapReason } from './gap.ts';
import type { InventoryCut } from './inventory-cut.ts';
import type { Oid } from './oid.ts';

/**
 * Every event: who emits it and when. Events are facts about the past and are not answered.
 *
 * Events are delivered one after another, in the order in which they were emitted, and each to its listeners in the order
 * in which these were added. An event that a listener emits waits until the current one has reached all its listeners. So
 * every listener receives a cause before its effects: `definitions.changed` before the `device.added` that it leads to. All
 * of them have been delivered when the outermost `emit` returns.
 */
export interface EventMap {
  /** definitions-loader, after a different generation of the definitions has replaced the running one. */
  readonly 'definitions.changed': {
    readonly generation: number;
    readonly previousGeneration: number;
    readonly changes: DefinitionChanges;
    /** Devices whose polling or records the changes affect, including new devices and those with other groups or tags. */
    readonly affectedDevices: readonly DeviceRef[];
    readonly forceRediscovery: boolean;
    readonly requestedBy: string;
  };
  /** definitions-loader, after an apply found errors; the running generation stays. */
  readonly 'definitions.rejected': { readonly problems: readonly Problem[]; readonly requestedBy: string };

  /** device-registry, after its list of devices changed. */
  readonly 'device.added': { readonly device: DeviceRef; readonly cause: string };
  readonly 'device.changed': { readonly device: DeviceRef; readonly cause: string };
  readonly 'device.removed': { readonly device: DeviceRef; readonly cause: string };
  /** device-registry, when the state of a device changes. */
  readonly 'device.state': {
    readonly device: DeviceRef;
    readonly from: DeviceState;
    readonly to: DeviceState;
    readonly why: string;
  };

  /** snmp-traps, after a trap or an inform has been accepted. At most `events_per_second` of them. */
  readonly 'trap.received': {
    readonly device: DeviceRef;
    readonly trapId: string;
    /** The id of its definition, or its OID. */
    readonly name: string;
    readonly oid: Oid;
    readonly severity: string;
    readonly category: string;
    readonly message: string | undefined;
    /** The address that it came from. */
    readonly source: string;
    readonly version: '1' | '2c' | '3';
    readonly kind: 'trap' | 'inform';
    /** Whether an SNMPv3 user has signed it. */
    readonly authenticated: boolean;
  };
  /** snmp-traps, once per second for each source and cause: datagrams that were not accepted. */
  readonly 'trap.dropped': {
    /** An address; `others` for all but the largest. `kernel` for datagrams that the system had no room for. */
    readonly source: string;
    readonly cause: string;
    readonly count: number;
    readonly seconds: number;
  };

  /** snmp-discovery, when a discovery begins, before its first request is sent. */
  readonly 'discovery.started': {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
  };
  /** snmp-discovery, every two seconds during a discovery that takes longer. */
  readonly 'discovery.progressed': DiscoveryProgress & {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
  };
  /** snmp-discovery, after the new inventory has been stored. */
  readonly 'discovery.completed': {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
    readonly inventory: InventoryChange;
    /** Present when the device has more than a limit of the discovery allows. */
    readonly cut?: InventoryCut;
    readonly durationMs: number;
  };
  /** snmp-discovery, when a discovery failed; the previous inventory stays. */
  readonly 'discovery.failed': {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
    readonly code: string;
    readonly message: string;
    readonly durationMs: number;
  };

  /**
   * snmp-poller, after a poll that found rows under other instances than before, matched by their keys: for example
   * interfaces whose indexes changed with a restart. Rates continue per key.
   */
  readonly 'device.renumbered': {
    readonly device: DeviceRef;
    /** The id of the object whose record the rows belong to. */
    readonly record: string;
    /** The first 100. */
    readonly moved: readonly MovedRow[];
    readonly count: number;
  };

  /**
   * snmp-poller, once per device and table: replies to a poll had OIDs that do not increase. The values are read by GET from then on; a
   * discovery of the table may miss rows.
   */
  readonly 'device.misordered': {
    readonly device: DeviceRef;
    /** The OID above the columns of the table. */
    readonly table: Oid;
  };

  /** network-discovery, when a scan of networks begins. */
  readonly 'scan.started': ScanRef & { readonly addresses: number };
  /** network-discovery, every ten seconds during a scan that takes longer. */
  readonly 'scan.progressed': ScanRef & ScanCounts;
  /** network-discovery, after the last address has been probed. */
  readonly 'scan.completed': ScanRef & ScanCounts & { readonly durationMs: number };
  /** network-discovery, when a scan was cut short, for example because its networks changed. Found devices stay. */
  readonly 'scan.failed': ScanRef &
    ScanCounts & { readonly code: string; readonly message: string; readonly durationMs: number };

  /** snmp-poller, after each poll that returned values or labels; the event does not contain them. */
  readonly 'poll.completed': PollSummary & { readonly values: number };
  /** snmp-poller, after a poll that returned no value and no label. */
  readonly 'poll.failed': PollSummary & { readonly reason: GapReason };

  /** pipeline, when an output has accepted nothing for `stall_after_ms`, and when it accepts batches again. */
  readonly 'output.stalled': {
    readonly output: string;
    readonly queuedBatches: number;
    readonly why: string;
  };
  readonly 'output.recovered': { readonly output: string; readonly queuedBatches: number };
  /** pipeline, at most once per second for each output and reason, and once per minute when drops continue: the drops since the last event. */
  readonly 'output.dropped': {
    readonly output: string;
    readonly batches: number;
    /** Values of batches that count as delivered, where the receiver reports only how many values it rejected. */
    readonly values: number;
    readonly why: string;
  };

  /**
   * cluster, after this collector began to ask, or stopped asking, the devices of so many of the 1,024 shards. While shards move, one event
   * per second has the sum.
   */
  readonly 'shard.gained': { readonly shards: number };
  readonly 'shard.lost': { readonly shards: number; readonly why: string };
  /** cluster, when a collector of the fleet appears, and when it has left or its lease has ended. */
  readonly 'member.joined': { readonly member: string };
  readonly 'member.left': { readonly member: string };
  /** A parent with workers, when one of them begins to ask devices. */
  readonly 'worker.started': { readonly worker: string; readonly restarts: number };
  /** A parent with workers, when one of them has ended without being asked to. `failures` counts such ends since it last ran for a minute. */
  readonly 'worker.ended': {
    readonly worker: string;
    readonly why: string;
    readonly failures: number;
    /** It is started again after this time. */
    readonly restartMs: number;
  };
  /** cluster, when this collector cannot be sure of its shards, and when it can again. */
  readonly 'cluster.degraded': { readonly why: string; readonly keepsPolling: boolean };
  readonly 'cluster.recovered': Readonly<Record<string, never>>;

  /** kernel, after the last plugin has started, and before the first one stops. */
  readonly 'collector.ready': Readonly<Record<string, never>>;
  readonly 'collector.stopping': { readonly why: string };
}

export type EventName = keyof EventMap;

/** What the event stream of the HTTP API tells: all events, and what it says about itself. */
export interface StreamEventMap extends EventMap {
  /**
   * The event stream of the HTTP API alone, before the first event after a gap. Every client receives it, whatever names or device it
   * selects.
   */
  readonly 'events.missed': {
    /** So many events of all kinds; absent when nobody knows, for example after a restart. */
    readonly count?: number;
    /** Events before this time may be missing (ISO 8601). */
    readonly until: string;
    readonly why: string;
  };
}

export type StreamEventName = keyof StreamEventMap;

/**
 * `initial`: the device has no inventory yet. `forced`: an apply requested it. `requested`: a person requested it. `reset`: the
 * device was restarted. `changed`: the device was replaced, or its address or credentials changed. `scheduled`: the inventory
 * is old.
 */
export type DiscoveryCause = 'initial' | 'forced' | 'requested' | 'reset' | 'changed' | 'scheduled';

/** The progress of a discovery. */
export interface DiscoveryProgress {
  /** Objects requested so far, and all that will be requested. */
  readonly objects: number;
  readonly total: number;
  /** Instances found so far. */
  readonly instances: number;
}

export type ScanCause = 'initial' | 'scheduled' | 'changed' | 'requested';

/** Identifies a scan of networks. */
export interface ScanRef {
  readonly id: string;
  readonly cause: ScanCause;
  /** Ids in autodiscover/networks.yml. */
  readonly networks: readonly string[];
}

/** The progress of a scan and its results. */
export interface ScanCounts {
  /** All addresses of the scan, and those visited so far. */
  readonly addresses: number;
  readonly visited: number;
  /** Visited addresses of devices from files or from the API, which are not probed. */
  readonly known: number;
  readonly answered: number;
  /** Addresses that answered and became devices. */
  readonly found: number;
  /** SNMPv3 agents that accepted none of the credentials. */
  readonly refused: number;
  /** Devices found earlier that did not answer. */
  readonly silent: number;
  /** Silent devices that were removed. */
  readonly removed: number;
}

/** A row that has the same key under another instance. */
export interface MovedRow {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Instances by object id. */
export interface InventoryChange {
  readonly objects: number;
  readonly instances: number;
  readonly added: Readonly<Record<string, number>>;
  readonly removed: Readonly<Record<string, number>>;
  /** Why tables were not read to their end, such as `notIncreasing`: rows may be missing. Absent when all were. */
  readonly partial?: Readonly<Record<string, string>>;
}

interface PollSummary {
  readonly device: DeviceRef;
  readonly plan: string;
  readonly slotMs: number;
  readonly durationMs: number;
  readonly packets: number;
  readonly gaps: Readonly<Partial<Record<GapReason, number>>>;
}

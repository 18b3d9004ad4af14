import type { DefinitionChanges, Problem } from './definition-changes.ts';
import type { DeviceRef, DeviceState } from './device.ts';
import type { GapReason } from './gap.ts';

/**
 * Every event: who emits it and when. Events are facts about the past and are not answered.
 *
 * Events are delivered one after another, in the order in which they were emitted, and each to its listeners in the order
 * in which these were added. An event that a listener emits waits until the current one has reached all its listeners. So
 * every listener receives a cause before its effects: `definitions.changed` before the `device.added` that it leads to. All
 * of them have been delivered when the outermost `emit` returns.
 */
export interface EventMap {
  /** definitions-loader, after the running generation was replaced by one that differs. */
  readonly 'definitions.changed': {
    readonly generation: number;
    readonly previousGeneration: number;
    readonly changes: DefinitionChanges;
    /** Devices whose polling or records the changes touch: new ones and ones in other groups too. */
    readonly affectedDevices: readonly DeviceRef[];
    readonly forceRediscovery: boolean;
    readonly requestedBy: string;
  };
  /** definitions-loader, after an apply that found errors; the running generation goes on. */
  readonly 'definitions.rejected': { readonly problems: readonly Problem[]; readonly requestedBy: string };

  /** device-registry, after its list of devices changed. */
  readonly 'device.added': { readonly device: DeviceRef; readonly cause: string };
  readonly 'device.changed': { readonly device: DeviceRef; readonly cause: string };
  readonly 'device.removed': { readonly device: DeviceRef; readonly cause: string };
  /** device-registry, at each step of a device's state machine. */
  readonly 'device.state': {
    readonly device: DeviceRef;
    readonly from: DeviceState;
    readonly to: DeviceState;
    readonly why: string;
  };

  /** snmp-discovery, when a device's turn has come and the first request is about to leave. */
  readonly 'discovery.started': {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
  };
  /** snmp-discovery, every two seconds of a discovery that takes longer. */
  readonly 'discovery.progressed': DiscoveryProgress & {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
  };
  /** snmp-discovery, after the new inventory was stored. */
  readonly 'discovery.completed': {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
    readonly inventory: InventoryChange;
    readonly durationMs: number;
  };
  /** snmp-discovery, when nothing was learned; the old inventory stays. */
  readonly 'discovery.failed': {
    readonly id: string;
    readonly device: DeviceRef;
    readonly cause: DiscoveryCause;
    readonly code: string;
    readonly message: string;
    readonly durationMs: number;
  };

  /**
   * snmp-poller, after a poll that found rows at other instances than before, by their names: interfaces whose indexes a
   * restart has dealt out anew. Rates go on by name.
   */
  readonly 'device.renumbered': {
    readonly device: DeviceRef;
    /** The object id whose record the rows are of. */
    readonly record: string;
    /** The first hundred. */
    readonly moved: readonly MovedRow[];
    readonly count: number;
  };

  /** network-discovery, when a scan of networks begins. */
  readonly 'scan.started': ScanRef & { readonly addresses: number };
  /** network-discovery, every ten seconds of a scan that takes longer. */
  readonly 'scan.progressed': ScanRef & ScanCounts;
  /** network-discovery, after the last address was asked. */
  readonly 'scan.completed': ScanRef & ScanCounts & { readonly durationMs: number };
  /** network-discovery, when a scan ended before its end: its networks changed, for one. What was found stays. */
  readonly 'scan.failed': ScanRef &
    ScanCounts & { readonly code: string; readonly message: string; readonly durationMs: number };

  /** snmp-poller, after each poll; never the values. */
  readonly 'poll.completed': PollSummary & { readonly values: number };
  /** snmp-poller, after a poll that brought no value at all. */
  readonly 'poll.failed': PollSummary & { readonly reason: GapReason };

  /** pipeline, when an output has taken nothing for its stall time, and when it takes batches again. */
  readonly 'output.stalled': {
    readonly output: string;
    readonly queuedBatches: number;
    readonly why: string;
  };
  readonly 'output.recovered': { readonly output: string; readonly queuedBatches: number };
  /** pipeline, at most once a second an output, once a minute when it goes on, with what was dropped since the last time. */
  readonly 'output.dropped': {
    readonly output: string;
    readonly batches: number;
    /** Of batches that count as delivered, where the other side tells only how many of their values it left out. */
    readonly values: number;
    readonly why: string;
  };

  /** kernel, after the last plugin started, and before the first one stops. */
  readonly 'collector.ready': Readonly<Record<string, never>>;
  readonly 'collector.stopping': { readonly why: string };
}

export type EventName = keyof EventMap;

/**
 * `initial`: nothing is known of the device yet. `forced`: an apply asked for it. `requested`: a person did. `reset`: the device
 * was restarted. `changed`: it is another one, or is asked in another way. `scheduled`: what is known is old.
 */
export type DiscoveryCause = 'initial' | 'forced' | 'requested' | 'reset' | 'changed' | 'scheduled';

/** How far a discovery is. */
export interface DiscoveryProgress {
  /** Objects asked for, and how many there are to be asked for. */
  readonly objects: number;
  readonly total: number;
  /** Found so far. */
  readonly instances: number;
}

export type ScanCause = 'initial' | 'scheduled' | 'changed' | 'requested';

/** Which scan of networks. */
export interface ScanRef {
  readonly id: string;
  readonly cause: ScanCause;
  /** Ids in autodiscover/networks.yml. */
  readonly networks: readonly string[];
}

/** How far a scan is and what it found. */
export interface ScanCounts {
  /** To look at, and looked at so far. */
  readonly addresses: number;
  readonly visited: number;
  /** Of those visited: devices of the files and of the API, which are not asked. */
  readonly known: number;
  readonly answered: number;
  /** Of those that answered: they are devices since. */
  readonly found: number;
  /** SNMPv3 agents that took none of the credentials. */
  readonly refused: number;
  /** Found earlier, and without an answer now. */
  readonly silent: number;
  /** Of the silent: they are devices no more. */
  readonly removed: number;
}

/** A row that is the same, by its key, at another instance. */
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
}

interface PollSummary {
  readonly device: DeviceRef;
  readonly plan: string;
  readonly slotMs: number;
  readonly durationMs: number;
  readonly packets: number;
  readonly gaps: Readonly<Partial<Record<GapReason, number>>>;
}

import {
  type DeviceRef,
  type DiscoveryCause,
  type DiscoveryProgress,
  type Inventory,
  type InventoryChange,
  type ServiceToken,
  serviceToken,
} from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';

/** The inventories of devices, and their discoveries. */
export interface Discovery {
  /** The inventory that polls use; undefined for a device that was never discovered. */
  findInventory(device: Device): Inventory | undefined;
  /**
   * Requests a discovery. The request joins one that is waiting, or running with the current definitions and settings. When one runs
   * with older definitions or settings, another follows it.
   */
  request(device: Device, cause: DiscoveryCause): RequestedRun;
  /**
   * Requests a discovery because of what a poll or a notification says. When such discoveries of a device follow one another closely, they
   * wait: a minute, then two, up to an hour. With a pace, the packets of the discovery keep it.
   */
  suggest(device: Device, cause: 'reset' | 'changed', pace?: PacketPace): void;
  findRun(id: string): DiscoveryRun | undefined;
  /** Discoveries that wait or run, and the last few hundred that ended, newest first. */
  readonly runs: readonly DiscoveryRun[];
  /** How many inventories are incomplete, by the limit that the device has reached. */
  readonly cuts: ReadonlyMap<string, number>;
}

/** Says when packets may leave. Discoveries with the same pace share it. */
export interface PacketPace {
  /** Resolves when one packet may be sent. */
  take(): Promise<void>;
  /** Counts packets that were sent without `take`: later callers wait longer. A negative number gives turns back. */
  charge(packets: number): void;
}

export interface RequestedRun {
  readonly run: DiscoveryRun;
  /** Whether an earlier request had already created the run. */
  readonly joined: boolean;
}

export interface DiscoveryRun {
  readonly id: string;
  readonly device: DeviceRef;
  readonly cause: DiscoveryCause;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed';
  /** Milliseconds since 1970. */
  readonly requestedMs: number;
  readonly startedMs: number | undefined;
  readonly endedMs: number | undefined;
  readonly progress: DiscoveryProgress;
  /** Datagrams that were sent to the device until now; undefined where the SNMP engine does not count them. */
  readonly packets: number | undefined;
  readonly outcome: DiscoveryOutcome | undefined;
  /** Resolves when the run has ended, whatever the outcome. Never rejects. */
  readonly ended: Promise<DiscoveryOutcome>;
}

export type DiscoveryOutcome =
  | { readonly ok: true; readonly change: InventoryChange; readonly durationMs: number }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly durationMs: number };

export const discoveryToken: ServiceToken<Discovery> = serviceToken<Discovery>('snmp-discovery');

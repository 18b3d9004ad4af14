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

/** What each device turned out to have, and how to look again. */
export interface Discovery {
  /** The inventory that polls go by; undefined for a device that was never discovered. */
  findInventory(device: Device): Inventory | undefined;
  /**
   * Asks for a discovery. While one of the device waits, or runs by the definitions of now, the request joins it; behind one
   * that runs by older definitions it makes another.
   */
  request(device: Device, cause: DiscoveryCause): RequestedRun;
  findRun(id: string): DiscoveryRun | undefined;
  /** Those that wait or run, and the last few hundred that ended, newest first. */
  readonly runs: readonly DiscoveryRun[];
}

export interface RequestedRun {
  readonly run: DiscoveryRun;
  /** Whether an earlier request had already made it. */
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
  readonly outcome: DiscoveryOutcome | undefined;
  /** Resolves when it has ended, however; never rejects. */
  readonly ended: Promise<DiscoveryOutcome>;
}

export type DiscoveryOutcome =
  | { readonly ok: true; readonly change: InventoryChange; readonly durationMs: number }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly durationMs: number };

export const discoveryToken: ServiceToken<Discovery> = serviceToken<Discovery>('snmp-discovery');

import { type Batch, type DeviceRef, type ServiceToken, serviceToken } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';
import type { ValueStory } from './explain/value-story.ts';
import type { PollCounters } from './tally/poll-tally.ts';

/** Polls every discovered device by the definitions of now. */
export interface Poller {
  /**
   * Polls all that the device has at once, out of turn; a poll under way is waited for instead. The records travel the
   * pipeline like any others. Rejects with POLL_NOT_PLANNED for a device that has no inventory, or nothing to be polled.
   */
  pollNow(device: Device): Promise<readonly Batch[]>;
  /** The last batch of each record of the device. */
  latest(device: Device): readonly Batch[];
  /** The whole story of one value; undefined when the device is not polled for that object. */
  explain(device: Device, object: string, instance: string, attribute: string): ValueStory | undefined;
  /** When the device is polled next, by the monotonic clock in milliseconds from now, by plan. */
  upcoming(device: Device): readonly { readonly plan: string; readonly inMs: number }[];
  counters(): PollerCounters;
  deviceCounters(device: Device): DeviceCounters | undefined;
  /** Those whose last poll took longest, slowest first; twenty unless told otherwise. */
  slowest(count?: number): readonly DeviceCounters[];
}

export interface DeviceCounters extends PollCounters {
  readonly device: DeviceRef;
  /** From the first request of the last poll to its last reply. */
  readonly lastDurationMs: number;
  /** Milliseconds since 1970; 0 before the first poll. */
  readonly lastPollMs: number;
}

export interface PollerCounters extends PollCounters {
  /** Devices that have something to be polled. */
  readonly devices: number;
  /** Places in the schedule: one for each device and interval. */
  readonly slots: number;
  /** Compiled plans; devices that are alike share theirs. */
  readonly plans: number;
  readonly underWay: number;
  /** How late slots were. */
  readonly lateness: { readonly p50Ms: number; readonly p99Ms: number };
  readonly duration: { readonly p50Ms: number; readonly p99Ms: number };
}

export const pollerToken: ServiceToken<Poller> = serviceToken<Poller>('poller');

export type { ValueStory } from './explain/value-story.ts';
export type { PollCounters } from './tally/poll-tally.ts';

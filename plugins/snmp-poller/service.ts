import { type Batch, type DeviceRef, type ServiceToken, serviceToken } from '../../src/index.ts';
import type { Percentiles } from '../../src/internal.ts';
import type { Device } from '../device-registry/service.ts';
import type { Question } from './explain/explain-value.ts';
import type { PollFailure, ValueExplanation } from './explain/value-explanation.ts';
import type { PollCounters } from './poll-tally.ts';

/** Polls every discovered device by the definitions of now. */
export interface Poller {
  /**
   * Polls all that the device has at once, out of turn; a poll under way is waited for instead. The records travel the
   * pipeline like any others. Rejects with POLL_NOT_PLANNED for a device that has no inventory, or nothing to be polled.
   */
  pollNow(device: Device): Promise<readonly Batch[]>;
  /**
   * As `pollNow`, for someone who does not want the records: a device that fell silent is asked whether it is there first.
   * Rejects as `pollNow` does; `ended` rejects with POLL_NO_ANSWER.
   */
  askNow(device: Device): Promise<AskedPoll>;
  /** The last batch of each record of the device. */
  latest(device: Device): readonly Batch[];
  /**
   * The whole story of one value, whether there is one or not. Throws DEFINITION_UNKNOWN for an object and
   * POLL_ATTRIBUTE_UNKNOWN for an attribute that the definitions do not have.
   */
  explain(device: Device, question: Question): ValueExplanation;
  /** When the device is polled next in each of its contexts, by the monotonic clock in milliseconds from now, by plan. */
  upcoming(device: Device): readonly { readonly plan: string; readonly inMs: number }[];
  counters(): PollerCounters;
  deviceCounters(device: Device): DeviceCounters | undefined;
  /** Those whose last poll took longest, slowest first; twenty unless told otherwise. */
  slowest(count?: number): readonly DeviceCounters[];
}

export interface AskedPoll {
  /** Whether a poll was under way already. */
  readonly joined: boolean;
  readonly ended: Promise<PollReport>;
}

/** What a poll brought, without the values. */
export interface PollReport extends Pick<PollCounters, 'packets' | 'values' | 'gaps'> {
  readonly durationMs: number;
  readonly records: readonly { readonly record: string; readonly rows: number }[];
}

/** Of one device in all its contexts. */
export interface DeviceCounters extends PollCounters {
  readonly device: DeviceRef;
  /** From the first request of the last poll to its last reply. */
  readonly lastDurationMs: number;
  /** Milliseconds since 1970; 0 before the first poll. */
  readonly lastPollMs: number;
  /** How late the last slot was. */
  readonly lastLateMs: number;
  /** Smoothed, from a request to its reply; 0 before the first one, and where the engine does not tell. */
  readonly roundTripMs: number;
  /** The last poll or probe that failed. */
  readonly lastFailure: PollFailure | undefined;
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
  readonly lateness: Percentiles;
  /** How long polls took, from the first request to the last reply. */
  readonly duration: Percentiles;
  /** From a request to its reply: of each poll, what its device took on average. */
  readonly roundTrip: Percentiles;
}

export const pollerToken: ServiceToken<Poller> = serviceToken<Poller>('snmp-poller');

export type { Question } from './explain/explain-value.ts';
export type { PollFailure, ValueExplanation } from './explain/value-explanation.ts';
export type { ValueField, ValueStory } from './explain/value-story.ts';
export type { PollCounters } from './poll-tally.ts';

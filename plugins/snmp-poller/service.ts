import type { DecodeOptions } from '../../src/definitions/index.ts';
import { type Batch, type DeviceRef, type ServiceToken, serviceToken } from '../../src/index.ts';
import type { Percentiles } from '../../src/timing/index.ts';
import type { Device } from '../device-registry/service.ts';
import type { PollFailure } from './device/device-state.ts';
import type { Question } from './explain/explain-value.ts';
import type { ValueExplanation } from './explain/value-explanation.ts';
import type { WantedRows } from './fleet/poll-rows.ts';
import type { PollCounters } from './poll-tally.ts';

/** Polls every discovered device by the current definitions. */
export interface Poller {
  /**
   * Runs all plans of the device immediately, outside its schedule, and returns the records, which also go to the pipeline. Waits
   * for a poll that is under way instead. Rejects with POLL_NOT_PLANNED for a device without an inventory or without anything to
   * poll. With `deviceGroups`, polls only the objects of these groups that the last discovery found.
   */
  pollNow(device: Device, deviceGroups?: readonly string[]): Promise<readonly Batch[]>;
  /**
   * As `pollNow`, but returns a report instead of the records, and probes a silent device first. Rejects as `pollNow` does; `ended`
   * rejects with POLL_NO_ANSWER.
   */
  requestPoll(device: Device): Promise<RequestedPoll>;
  /** The last batch of each record of the device. */
  latest(device: Device): readonly Batch[];
  /**
   * Explains one value from its definition to the last poll, or why the value is missing. Throws DEFINITION_UNKNOWN for an unknown
   * object, POLL_ATTRIBUTE_UNKNOWN for an unknown attribute, and POLL_CONTEXT_UNKNOWN for an unknown context.
   */
  explain(device: Device, question: Question): ValueExplanation;
  /**
   * Polls single rows once, beside the schedule. The records also go to the pipeline. Of a device without an inventory, and of objects that it
   * does not have, nothing is polled. `trapId`: the notification that asks for it; the batches carry it.
   */
  pollRows(device: Device, wanted: WantedRows, trapId?: string): Promise<readonly Batch[]>;
  /** The labels of a row as it was last polled; undefined when no poll has read it. `table` is the one of its object. */
  findLabels(device: Device, table: string, instance: string): Readonly<Record<string, string>> | undefined;
  /** How values are scaled. */
  readonly decodeOptions: DecodeOptions;
  /** When each plan of the device runs next, in each of its contexts, in milliseconds from now. */
  upcoming(device: Device): readonly { readonly plan: string; readonly inMs: number }[];
  counters(): PollerCounters;
  deviceCounters(device: Device): DeviceCounters | undefined;
  /** The devices whose last poll took longest, slowest first. Returns 20 devices unless `count` says otherwise. */
  slowest(count?: number): readonly DeviceCounters[];
}

export interface RequestedPoll {
  /** Whether a poll was already under way. */
  readonly joined: boolean;
  readonly ended: Promise<PollReport>;
}

/** The outcome of a poll, without the values. */
export interface PollReport extends Pick<PollCounters, 'packets' | 'values' | 'gaps'> {
  readonly durationMs: number;
  readonly records: readonly { readonly record: string; readonly rows: number }[];
}

/** Counters of one device in all its contexts. */
export interface DeviceCounters extends PollCounters {
  readonly device: DeviceRef;
  /** From the first request of the last poll to its last reply. */
  readonly lastDurationMs: number;
  /** Milliseconds since 1970; 0 before the first poll. */
  readonly lastPollMs: number;
  /** The last poll that returned values, in milliseconds since 1970; 0 before the first. */
  readonly lastSuccessMs: number;
  /** The longest of the last polls of its intervals; 0 before the first poll. */
  readonly slowestPlanMs: number;
  /** How late the last slot was. */
  readonly lastLateMs: number;
  /** The smoothed time from a request to its reply; 0 before the first reply, and with engines that do not measure it. */
  readonly roundTripMs: number;
  /** The last poll or probe that failed. */
  readonly lastFailure: PollFailure | undefined;
}

export interface PollerCounters extends PollCounters {
  /** Devices that have something to poll. */
  readonly devices: number;
  /** Places in the schedule: one for each device and interval. */
  readonly slots: number;
  /** Compiled plans. Devices of the same shape share their plans. */
  readonly plans: number;
  readonly underWay: number;
  /** How late slots were. */
  readonly lateness: Percentiles;
  /** How long polls took, from the first request to the last reply. */
  readonly duration: Percentiles;
  /** The time from a request to its reply, as the average of the device at each poll. */
  readonly roundTrip: Percentiles;
}

export const pollerToken: ServiceToken<Poller> = serviceToken<Poller>('snmp-poller');

export type { PollFailure } from './device/device-state.ts';
export type { Question } from './explain/explain-value.ts';
export type { ValueExplanation } from './explain/value-explanation.ts';
export type { ValueField, ValueReading } from './explain/value-reading.ts';
export type { PollCounters } from './poll-tally.ts';

import { deviceRefSchema, fleetFacts } from '../../../src/http/index.ts';
import { type Static, Type } from '../../../src/index.ts';
import type { DeviceCounters, PollCounters } from '../service.ts';
import { optionalField } from './route-tools.ts';

const count = (description: string) => Type.Integer({ description });
const percentiles = (description: string) =>
  Type.Object({ p50Ms: Type.Number(), p99Ms: Type.Number() }, { title: 'Percentiles', description });
const time = Type.String({ format: 'date-time' });

export const gapsSchema = Type.Record(Type.String(), Type.Integer(), {
  description: 'missing values, by reason',
});

const counts = {
  polls: count('polls that ended'),
  failedPolls: count('polls without any value'),
  probes: count('probes of silent devices'),
  packets: count('replies to polls'),
  retries: count('requests sent again because no reply came'),
  varbinds: count('varbinds received, with a value or an exception'),
  values: count('values in records'),
  unnamed: count('numbers and OIDs without a name in their enum; they are kept as they are'),
  overruns: count('slots skipped because the previous poll was still under way'),
  skippedSlots: count(
    'slots without a poll, because the process did not run, polling was paused, or this member was not sure of its devices',
  ),
  gaps: gapsSchema,
};

export const pollerCountersSchema = Type.Object(
  {
    ...counts,
    devices: count('devices that have something to poll'),
    slots: count('places in the schedule: one per device and interval'),
    plans: count('compiled plans; devices of the same shape share their plans'),
    underWay: count('polls and probes under way'),
    lateness: percentiles('how late slots were'),
    duration: percentiles('duration of polls, from the first request to the last reply'),
    roundTrip: percentiles('time from a request to its reply'),
    ...fleetFacts,
  },
  { title: 'PollingCounters' },
);

export const deviceCountersSchema = Type.Object(
  {
    device: deviceRefSchema,
    ...counts,
    lastPollAt: optionalField(time),
    lastSuccessAt: optionalField(time),
    slowestPlanMs: Type.Number({ description: 'the longest of the last polls of its intervals' }),
    lastDurationMs: Type.Number({ description: 'from the first request of the last poll to its last reply' }),
    lastLateMs: Type.Number({ description: 'how late the last slot was' }),
    roundTripMs: Type.Number({ description: 'smoothed; 0 before the first reply' }),
    lastFailure: optionalField(Type.Object({ code: Type.String(), at: time })),
  },
  { title: 'DevicePollingCounters' },
);

export function showDeviceCounters(counters: DeviceCounters): Static<typeof deviceCountersSchema> {
  const { lastPollMs, lastSuccessMs, lastFailure, ...rest } = counters;
  return {
    ...rest,
    gaps: showGaps(counters.gaps),
    lastPollAt: timeText(lastPollMs),
    lastSuccessAt: timeText(lastSuccessMs),
    lastFailure: lastFailure && { code: lastFailure.code, at: new Date(lastFailure.atMs).toISOString() },
  };
}

function timeText(timeMs: number): string | undefined {
  return timeMs === 0 ? undefined : new Date(timeMs).toISOString();
}

export function showGaps(gaps: PollCounters['gaps']): Record<string, number> {
  return Object.fromEntries(Object.entries(gaps));
}

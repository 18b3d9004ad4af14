import { type Static, Type } from '../../../src/index.ts';
import { deviceRefSchema } from '../../../src/internal.ts';
import type { DeviceCounters, PollCounters } from '../service.ts';
import { optionalField } from './route-tools.ts';

const count = (description: string) => Type.Integer({ description });
const percentiles = (description: string) =>
  Type.Object({ p50Ms: Type.Number(), p99Ms: Type.Number() }, { title: 'Percentiles', description });
const time = Type.String({ format: 'date-time' });

export const gapsSchema = Type.Record(Type.String(), Type.Integer(), {
  description: 'values that were expected and did not come, by reason',
});

const counts = {
  polls: count('that ended'),
  failedPolls: count('that brought no value at all'),
  probes: count('of devices that fell silent'),
  packets: count('replies to polls'),
  retries: count('requests sent again because no reply came'),
  varbinds: count('that came, with a value or an exception'),
  values: count('in records'),
  unnamed: count('numbers and OIDs that their enum has no name for; they are kept as they are'),
  overruns: count('slots left out because the poll before was still under way'),
  skippedSlots: count('slots that went by while the process stood still'),
  gaps: gapsSchema,
};

export const pollerCountersSchema = Type.Object(
  {
    ...counts,
    devices: count('that have something to be polled'),
    slots: count('places in the schedule: one for each device and interval'),
    plans: count('compiled; devices that are alike share theirs'),
    underWay: count('polls and probes'),
    lateness: percentiles('of slots'),
    duration: percentiles('of polls, from the first request to the last reply'),
    roundTrip: percentiles('from a request to its reply'),
  },
  { title: 'PollingCounters' },
);

export const deviceCountersSchema = Type.Object(
  {
    device: deviceRefSchema,
    ...counts,
    lastPollAt: optionalField(time),
    lastDurationMs: Type.Number({ description: 'from the first request of the last poll to its last reply' }),
    lastLateMs: Type.Number({ description: 'how late the last slot was' }),
    roundTripMs: Type.Number({ description: 'smoothed; 0 before the first reply' }),
    lastFailure: optionalField(Type.Object({ code: Type.String(), at: time })),
  },
  { title: 'DevicePollingCounters' },
);

export function showDeviceCounters(counters: DeviceCounters): Static<typeof deviceCountersSchema> {
  const { lastPollMs, lastFailure, ...rest } = counters;
  return {
    ...rest,
    gaps: showGaps(counters.gaps),
    lastPollAt: lastPollMs === 0 ? undefined : new Date(lastPollMs).toISOString(),
    lastFailure: lastFailure && { code: lastFailure.code, at: new Date(lastFailure.atMs).toISOString() },
  };
}

export function showGaps(gaps: PollCounters['gaps']): Record<string, number> {
  return Object.fromEntries(Object.entries(gaps));
}

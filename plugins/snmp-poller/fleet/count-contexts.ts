import type { DeviceState } from '../device/device-state.ts';
import { PollTally } from '../poll-tally.ts';
import type { DeviceCounters } from '../service.ts';

/** Adds up the counters of a device's contexts. The round trip is that of the first context. */
export function countContexts([first, ...further]: readonly [DeviceState, ...DeviceState[]]): DeviceCounters {
  const { device, path } = first;
  const contexts = [first, ...further];
  const total = new PollTally();
  for (const { tally } of contexts) total.add(tally);
  const failures = contexts.flatMap(({ path: { lastFailure } }) => lastFailure ?? []);
  const latest = (read: (state: DeviceState) => number) => Math.max(...contexts.map(read));
  return {
    device: device.ref,
    ...total.snapshot(),
    lastDurationMs: latest(({ lastDurationMs }) => lastDurationMs),
    lastPollMs: latest(({ lastPollMs }) => lastPollMs),
    lastSuccessMs: latest(({ lastSuccessMs }) => lastSuccessMs),
    slowestPlanMs: latest(({ memories }) =>
      Math.max(0, ...[...memories.values()].map(({ lastDurationMs }) => lastDurationMs)),
    ),
    lastLateMs: latest(({ lastLateMs }) => lastLateMs),
    roundTripMs: path.roundTripMs,
    lastFailure: failures.toSorted((a, b) => b.atMs - a.atMs)[0],
  };
}

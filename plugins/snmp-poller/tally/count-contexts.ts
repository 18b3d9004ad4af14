import type { PolledDevice } from '../device/polled-device.ts';
import type { DeviceCounters } from '../service.ts';
import { PollTally } from './poll-tally.ts';

/** What the polls of a device have brought in all its contexts; the first one speaks for it. */
export function countContexts([first, ...further]: readonly [
  PolledDevice,
  ...PolledDevice[],
]): DeviceCounters {
  const { device, way } = first;
  const contexts = [first, ...further];
  const total = new PollTally();
  for (const { tally } of contexts) total.add(tally);
  const failures = contexts.flatMap((polled) => polled.way.lastFailure ?? []);
  const latest = (read: (polled: PolledDevice) => number) => Math.max(...contexts.map(read));
  return {
    device: device.ref,
    ...total.snapshot(),
    lastDurationMs: latest(({ lastDurationMs }) => lastDurationMs),
    lastPollMs: latest(({ lastPollMs }) => lastPollMs),
    lastLateMs: latest(({ lastLateMs }) => lastLateMs),
    roundTripMs: way.roundTripMs,
    lastFailure: failures.toSorted((a, b) => b.atMs - a.atMs)[0],
  };
}

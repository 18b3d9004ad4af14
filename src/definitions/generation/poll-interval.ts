import type { RawDevice } from '../schema/raw-definitions.ts';

/** The settings of a device that decide how often its objects are polled. */
export type IntervalSettings = Pick<RawDevice, 'poll_interval' | 'poll_intervals'>;

const defaultSeconds = 60;
const shortestMs = 1_000;
/** A week, as in the schemas. */
const longestMs = 604_800_000;

/**
 * The milliseconds between polls of objects of a type. The device's own interval for the type comes first. Its `poll_interval` is the
 * interval of what changes, and other types keep their ratio to that. Without it, the types' own intervals are used.
 */
export function pollIntervalOf(
  type: string | undefined,
  { poll_interval, poll_intervals = {} }: IntervalSettings,
  everyMsByType: ReadonlyMap<string, number>,
): number {
  const ownSeconds = type === undefined ? undefined : poll_intervals[type];
  if (ownSeconds !== undefined) return 1000 * ownSeconds;
  const typeMs = type === undefined ? undefined : everyMsByType.get(type);
  if (typeMs === undefined) return 1000 * (poll_interval ?? defaultSeconds);
  if (poll_interval === undefined) return typeMs;
  const scaledMs = Math.round((1000 * poll_interval * typeMs) / changingMs(everyMsByType));
  return Math.min(Math.max(scaledMs, shortestMs), longestMs);
}

/** The interval of what changes: that of the type `dynamic`, else the shortest one. Objects without a type have one, too. */
function changingMs(everyMsByType: ReadonlyMap<string, number>): number {
  return everyMsByType.get('dynamic') ?? Math.min(1000 * defaultSeconds, ...everyMsByType.values());
}

import type { RawDevice } from '../schema/raw-definitions.ts';

/**
 * The milliseconds between polls of objects of a type: the device's own interval for the type comes first, then the interval of the
 * type, then that of the device.
 */
export function pollIntervalOf(
  type: string | undefined,
  { poll_interval = 60, poll_intervals = {} }: Pick<RawDevice, 'poll_interval' | 'poll_intervals'>,
  everyMsByType: ReadonlyMap<string, number>,
): number {
  const ownMs = 1000 * poll_interval;
  if (type === undefined) return ownMs;
  const seconds = poll_intervals[type];
  return seconds === undefined ? (everyMsByType.get(type) ?? ownMs) : 1000 * seconds;
}

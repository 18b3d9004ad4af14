import type { RawDevice } from '../../../src/definitions/index.ts';

/** What discoveries found, in a form that crosses to the thread: for a large fleet, millions of counts in one array. */
export interface DiscoveredDevices {
  readonly objects: readonly string[];
  /** Pairs: the position of an object in `objects`, and how many instances it has. */
  readonly counts: Uint32Array;
  readonly devices: readonly DiscoveredDevice[];
}

export interface DiscoveredDevice {
  readonly key: string;
  readonly deviceGroups: readonly string[];
  /** Absent for a device of the files. */
  readonly settings?: PollSettings | undefined;
  /** Where its pairs begin and end in `counts`; absent before its first discovery. */
  readonly range?: readonly [from: number, to: number] | undefined;
}

export type PollSettings = Pick<RawDevice, 'device_groups' | 'enabled' | 'poll_interval' | 'poll_intervals'>;

/** The instances by object of one device; undefined before its first discovery. */
export function instancesOf(
  { objects, counts }: DiscoveredDevices,
  { range }: DiscoveredDevice,
): ReadonlyMap<string, number> | undefined {
  if (range === undefined) return undefined;
  const found = new Map<string, number>();
  for (let i = range[0]; i < range[1]; i += 2) found.set(objects[counts[i]!]!, counts[i + 1]!);
  return found;
}

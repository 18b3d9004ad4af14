import { isDeepStrictEqual } from 'node:util';
import { type DefinitionChanges, type DeviceRef, deviceKey } from '../../../src/index.ts';
import {
  type CheckedSet,
  type CompiledDefinitions,
  type Cost,
  diffDefinitions,
  estimateCost,
  findDeviceDefaults,
  findNewObjects,
  listChanges,
  type RawDevice,
} from '../../../src/internal.ts';
import { deviceRefOf } from '../generation/generation.ts';
import { countDefinitions } from './definition-counts.ts';
import type { CandidateReport } from './worker-messages.ts';

/** The most changes that a dry run lists one by one. */
const maxListed = 500;

/** What changes when `after` replaces `before`. */
export function reportCandidate(
  before: CheckedSet | undefined,
  after: CheckedSet,
  isDryRun: boolean,
): CandidateReport {
  const { problems, replaced, fingerprint, compiled } = after;
  const running = before?.compiled ?? compiled;
  const changes = diffDefinitions(running, compiled);
  const defaultsBefore = findDeviceDefaults(before?.raw ?? after.raw);
  const defaults = findDeviceDefaults(after.raw);
  return {
    problems,
    counts: countDefinitions(after.raw),
    replaced,
    fingerprint,
    changes,
    changesDefaults: !isDeepStrictEqual(defaultsBefore, defaults),
    changesDescriptions: hasOtherDescriptions(running, compiled),
    changesDefaultTags: !isDeepStrictEqual(defaultsBefore?.tags, defaults?.tags),
    changedDevices: findChangedDevices(running.devices, compiled.devices, changes.devices),
    newObjects: findNewObjects(changes, running.objects, compiled.objects),
    ...(isDryRun
      ? {
          cost: { before: costOf(before ?? after), after: costOf(after) },
          differences: listChanges(before ?? after, after, changes, maxListed),
        }
      : {}),
  };
}

function costOf({ compiled }: CheckedSet): Cost {
  const subjects = [...compiled.devices.values()]
    .filter(({ enabled }) => enabled !== false)
    .map(
      ({
        device_groups: deviceGroups = [],
        poll_interval: interval = 60,
        poll_intervals: intervals = {},
      }) => ({
        deviceGroups,
        everyMs: 1000 * interval,
        everyMsByType: Object.fromEntries(
          Object.entries(intervals).map(([type, seconds]) => [type, 1000 * seconds]),
        ),
      }),
    );
  return estimateCost(compiled, subjects);
}

/** Objects with the same hash may have other descriptions. */
function hasOtherDescriptions(before: CompiledDefinitions, after: CompiledDefinitions): boolean {
  for (const [id, object] of after.objects) {
    const known = before.objects.get(id);
    if (known === undefined || known === object) continue;
    for (const [name, { description }] of object.attributes)
      if (known.attributes.get(name)?.description !== description) return true;
  }
  return false;
}

type Devices = CompiledDefinitions['devices'];

/** The devices of `after` that are new, or whose own list of groups or whose tags changed. A renamed device is neither. */
function findChangedDevices(
  before: Devices,
  after: Devices,
  { added, changed, removed }: DefinitionChanges['devices'],
): DeviceRef[] {
  const earlier = new Map(
    [...changed, ...removed].map((name) => {
      const settings = before.get(name)!;
      return [deviceKey(deviceRefOf(name, settings)), recordedSettings(settings)];
    }),
  );
  return [...added, ...changed].flatMap((name) => {
    const settings = after.get(name)!;
    const ref = deviceRefOf(name, settings);
    const key = deviceKey(ref);
    return isDeepStrictEqual(earlier.get(key), recordedSettings(settings)) ? [] : [ref];
  });
}

/** What decides which records a device has, and with which tags. No groups, unlike an empty list, means those of its sysObjectID. */
function recordedSettings({ device_groups: groups, tags = {} }: RawDevice) {
  return { groups: groups && new Set(groups), tags };
}

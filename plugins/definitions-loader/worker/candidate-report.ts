import { isDeepStrictEqual } from 'node:util';
import {
  type CheckedSet,
  type CompiledDefinitions,
  type Cost,
  type CostSubject,
  diffDefinitions,
  estimateCost,
  findDeviceDefaults,
  findNewObjects,
  listChanges,
  type RawDevice,
} from '../../../src/definitions/index.ts';
import { type DefinitionChanges, type DeviceRef, deviceKey } from '../../../src/index.ts';
import { deviceRefOf } from '../device-ref.ts';
import { countDefinitions } from './definition-counts.ts';
import {
  type DiscoveredDevice,
  type DiscoveredDevices,
  instancesOf,
  type PollSettings,
} from './discovered-devices.ts';
import type { CandidateReport } from './worker-messages.ts';

/** The most changes that a dry run lists one by one. */
const maxListed = 500;

/** What changes when `after` replaces `before`. */
export function reportCandidate(
  before: CheckedSet | undefined,
  after: CheckedSet,
  found: DiscoveredDevices | undefined,
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
    ...(found === undefined
      ? {}
      : {
          cost: { before: costOf(before ?? after, found), after: costOf(after, found) },
          differences: listChanges(before ?? after, after, changes, maxListed),
        }),
  };
}

/** Devices of the files as the set has them, and those that the API added or scans found. */
function costOf({ compiled }: CheckedSet, found: DiscoveredDevices): Cost {
  const byKey = new Map(found.devices.map((device) => [device.key, device]));
  const subjectOf = (settings: PollSettings, device: DiscoveredDevice | undefined): CostSubject => {
    return {
      deviceGroups: settings.device_groups ?? device?.deviceGroups ?? [],
      intervals: settings,
      found: device && instancesOf(found, device),
    };
  };
  function* subjects(): Generator<CostSubject, void> {
    for (const [name, settings] of compiled.devices) {
      if (settings.enabled === false) continue;
      yield subjectOf(settings, byKey.get(deviceKey(deviceRefOf(name, settings))));
    }
    for (const device of found.devices) {
      const { settings } = device;
      if (settings !== undefined && settings.enabled !== false) yield subjectOf(settings, device);
    }
  }
  return estimateCost(compiled, subjects());
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

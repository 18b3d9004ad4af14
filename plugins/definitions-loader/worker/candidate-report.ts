import { isDeepStrictEqual } from 'node:util';
import {
  type CheckedSet,
  type Cost,
  diffDefinitions,
  estimateCost,
  findDeviceDefaults,
} from '../../../src/internal.ts';
import { countDefinitions } from './definition-counts.ts';
import { findRegroupedDevices } from './regrouped-devices.ts';
import type { CandidateReport } from './worker-messages.ts';

/** What replacing `before` by `after` would mean. */
export function reportCandidate(
  before: CheckedSet | undefined,
  after: CheckedSet,
  withCost: boolean,
): CandidateReport {
  const { problems, replaced, fingerprint, compiled } = after;
  const running = before?.compiled ?? compiled;
  const changes = diffDefinitions(running, compiled);
  return {
    problems,
    counts: countDefinitions(after.raw),
    replaced,
    fingerprint,
    changes,
    changesDefaults: !isDeepStrictEqual(
      findDeviceDefaults(before?.raw ?? after.raw),
      findDeviceDefaults(after.raw),
    ),
    regroupedDevices: findRegroupedDevices(running.devices, compiled.devices, changes.devices),
    ...(withCost ? { cost: { before: costOf(before ?? after), after: costOf(after) } } : {}),
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

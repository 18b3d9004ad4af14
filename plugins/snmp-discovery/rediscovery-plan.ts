import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { deviceKey, type Inventory } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';

/** Checked for many thousands of devices every minute, so most checks must cost no more than a comparison. */
export interface Schedule {
  /** Whether a device with this inventory is due for a discovery at `nowMs`. */
  isDue(device: Device, inventory: Pick<Inventory, 'discoveredMs'>, nowMs: number): boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The share of the period over which devices that were discovered together are spread. */
const spreadShare = 0.1;

/**
 * A fixed number of hours after the last discovery, minus an offset per device of up to a tenth, so that discoveries spread. An
 * inventory that is dated as far in the future, by a wrong clock, is due too.
 */
export function everyHours(hours: number): Schedule {
  const periodMs = hours * hourMs;
  return {
    isDue(device, { discoveredMs }, nowMs) {
      const ageMs = Math.abs(nowMs - discoveredMs);
      if (ageMs < periodMs * (1 - spreadShare)) return false;
      return ageMs >= periodMs * (1 - spreadShare * offsetOf(device));
    },
  };
}

/** At the times of a cron expression. Devices are spread over the following hour, or over half of the time to the next one. */
export function atTimes(expression: string): Schedule {
  const findGap = rememberGaps(new Cron(expression, { paused: true }));
  return {
    isDue(device, { discoveredMs }, nowMs) {
      if (discoveredMs > nowMs + dayMs) return true;
      const { endMs, nextEndMs } = findGap(discoveredMs);
      if (nowMs < endMs) return false;
      return nowMs >= endMs + Math.min(hourMs, (nextEndMs - endMs) / 2) * offsetOf(device);
    },
  };
}

/** The time from one cron time to the next. A device that was discovered in it is due at its end. */
interface Gap {
  readonly beginMs: number;
  readonly endMs: number;
  readonly nextEndMs: number;
}

const keptGaps = 32;

/** Finding the next cron time takes 40 microseconds, and most devices were discovered in the same gap. */
function rememberGaps(cron: Cron): (momentMs: number) => Gap {
  const gaps: Gap[] = [];
  const after = (ms: number) =>
    (Number.isFinite(ms) ? cron.nextRun(new Date(ms))?.getTime() : undefined) ?? Number.POSITIVE_INFINITY;
  return (momentMs) => {
    const known = gaps.find(({ beginMs, endMs }) => momentMs >= beginMs && momentMs < endMs);
    if (known !== undefined) return known;
    const endMs = after(momentMs);
    let beginMs = momentMs;
    for (let stepMs = 60_000; stepMs < dayMs && after(beginMs - stepMs) === endMs; stepMs *= 2)
      beginMs -= stepMs;
    const gap = { beginMs, endMs, nextEndMs: after(endMs) };
    gaps.unshift(gap);
    gaps.length = Math.min(gaps.length, keptGaps);
    return gap;
  };
}

/** Between 0 and 1, and the same for a device after every start. */
function offsetOf({ ref }: Device): number {
  return createHash('sha1').update(deviceKey(ref)).digest().readUInt32BE(0) / 0x1_0000_0000;
}

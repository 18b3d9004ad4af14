import { type DeviceTime, elapsedBetween } from '../counter/device-time.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PolledDevice } from './polled-device.ts';

/** What polls that run side by side read within this time may arrive in either order. */
const closestMs = 1_000;

/** Takes note of a device's clock. True when it was restarted since it was last heard; then it is discovered again. */
export function noteTime(subject: PolledDevice, now: DeviceTime, tools: DeviceTools): boolean {
  if (now.upTicks === undefined) return false;
  const { time } = subject;
  if (time !== undefined && isNoLater(now, time)) return false;
  subject.time = now;
  if (time === undefined || !elapsedBetween(time, now).isRestart) return false;
  tools.requestDiscovery(subject.device, 'reset');
  return true;
}

/** A poll that takes long tells an older time than a short one that began behind it and has ended. */
function isNoLater(now: DeviceTime, before: DeviceTime): boolean {
  const sinceMs = now.localMs - before.localMs;
  const ownMs = 10 * (now.upTicks! - (before.upTicks ?? 0));
  return sinceMs < 0 || (sinceMs < closestMs && Math.abs(ownMs) < closestMs);
}

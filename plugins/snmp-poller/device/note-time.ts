import { type DeviceTime, elapsedBetween } from '../counter/device-time.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PolledDevice } from './polled-device.ts';

/** Takes note of a device's clock. True when it was restarted since it was last heard; then it is discovered again. */
export function noteTime(subject: PolledDevice, now: DeviceTime, tools: DeviceTools): boolean {
  if (now.upTicks === undefined) return false;
  const { time } = subject;
  subject.time = now;
  if (time === undefined || !elapsedBetween(time, now).isRestart) return false;
  tools.requestDiscovery(subject.device, 'reset');
  return true;
}

import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { deviceKey, type Inventory } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';

export interface Schedule {
  /** Whether a device with this inventory is due at `nowMs`. */
  isDue(device: Device, inventory: Inventory, nowMs: number): boolean;
}

const hourMs = 3_600_000;

/** Every so many hours since the last one, each device with an offset of its own of up to a tenth, so that they spread. */
export function everyHours(hours: number): Schedule {
  return {
    isDue: (device, inventory, nowMs) =>
      nowMs - inventory.discoveredMs >= hours * hourMs * (1 - 0.1 * offsetOf(device)),
  };
}

/** At the times of a cron expression; devices follow each other over the hour after it. */
export function atTimes(expression: string): Schedule {
  const cron = new Cron(expression, { paused: true });
  return {
    isDue(device, inventory, nowMs) {
      const next = cron.nextRun(new Date(inventory.discoveredMs))?.getTime() ?? Number.POSITIVE_INFINITY;
      return nowMs >= next + hourMs * offsetOf(device);
    },
  };
}

/** Between 0 and 1, the same for a device at every start. */
function offsetOf({ ref }: Device): number {
  return createHash('sha1').update(deviceKey(ref)).digest().readUInt32BE(0) / 0x1_0000_0000;
}

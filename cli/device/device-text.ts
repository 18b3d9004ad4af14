import type { DeviceRef, DeviceState } from '../../src/index.ts';
import { colours } from '../terminal/colours.ts';
import { plainText } from '../terminal/plain-text.ts';

/** The address that the API knows a device by. */
export interface DevicePlace {
  readonly ip: string;
  readonly port: string;
}

const maxNamed = 5;

/** Devices that share an address, as names with ports. */
export function listPlaces(devices: readonly Pick<DeviceRef, 'name' | 'port'>[]): string {
  const places = devices.slice(0, maxNamed).map(({ name, port }) => `${plainText(name)} (port ${port})`);
  return places.join(', ') + (devices.length > maxNamed ? ', …' : '');
}

/** A state in its colour. */
export function formatState(state: DeviceState): string {
  if (state === 'up') return colours.green(state);
  return state === 'down' ? colours.red(state) : colours.yellow(state);
}

/** Why values are missing, and how many for each reason; `none` when there are none. */
export function formatGaps(gaps: Readonly<Record<string, number>>, none = 'none'): string {
  const parts = Object.entries(gaps).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? none : parts.join(', ');
}

import colours from 'picocolors';
import type { DeviceRef, DeviceState } from '../../index.ts';
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

/** A time of the API in the local time zone. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** The two largest parts of a duration: `3 d 4 h`, `12 min 5 s`. */
export function formatDuration(seconds: number): string {
  const parts = units
    .map(({ name, inSeconds }, i) => {
      const above = units[i - 1]?.inSeconds ?? Number.POSITIVE_INFINITY;
      return { name, count: Math.floor((seconds % above) / inSeconds) };
    })
    .filter(({ count }) => count > 0);
  return parts.length === 0
    ? '0 s'
    : parts
        .slice(0, 2)
        .map(({ name, count }) => `${count} ${name}`)
        .join(' ');
}

const units = [
  { name: 'd', inSeconds: 86_400 },
  { name: 'h', inSeconds: 3_600 },
  { name: 'min', inSeconds: 60 },
  { name: 's', inSeconds: 1 },
] as const;

/** Why values are missing, and how many for each reason; `none` when there are none. */
export function formatGaps(gaps: Readonly<Record<string, number>>, none = 'none'): string {
  const parts = Object.entries(gaps).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? none : parts.join(', ');
}

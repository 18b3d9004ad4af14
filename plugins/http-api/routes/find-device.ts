import { canonicalAddress } from '../../../src/internal.ts';
import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import { problem } from '../problem/problem.ts';
import { shownText } from '../problem/shown-text.ts';

/** The device of that address and port; else a problem that names the nearest one. */
export function findDevice(registry: DeviceRegistry, ip: string, port: number): Device {
  const device = registry.findDevice(ip, port);
  if (device !== undefined) return device;
  const near = registry.findNearestDevice(ip, port)?.ref;
  const nearest = near === undefined ? '' : ` The nearest is "${near.name}" at ${near.ip} port ${near.port}.`;
  throw problem('HTTP_DEVICE_UNKNOWN', { ip, port, nearest }, near === undefined ? {} : { nearest: near });
}

/** The device that a path names. */
export function findAddressedDevice(
  registry: DeviceRegistry,
  { ip, port }: { readonly ip: string; readonly port: string },
): Device {
  return findDevice(registry, parseAddress(ip), parsePort(port));
}

export function parseAddress(text: string): string {
  const address = canonicalAddress(text);
  if (address === undefined) throw problem('HTTP_ADDRESS_IMPOSSIBLE', { received: shownText(text) });
  return address;
}

export function parsePort(value: number | string): number {
  const port = typeof value === 'number' ? value : /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw problem('HTTP_PORT_IMPOSSIBLE', { received: shownText(value) });
}

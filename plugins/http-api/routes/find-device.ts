import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import { problem } from '../problem/problem.ts';

/** The device of that address and port; else a problem that names the nearest one. */
export function findDevice(registry: DeviceRegistry, ip: string, port: number): Device {
  const device = registry.findDevice(ip, port);
  if (device !== undefined) return device;
  const near = registry.findNearestDevice(ip, port)?.ref;
  const nearest = near === undefined ? '' : ` The nearest is "${near.name}" at ${near.ip} port ${near.port}.`;
  throw problem('HTTP_DEVICE_UNKNOWN', { ip, port, nearest }, near === undefined ? {} : { nearest: near });
}

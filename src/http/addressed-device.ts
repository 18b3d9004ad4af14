import { defineErrors } from '../kernel/errors.ts';
import type { DeviceRef } from '../model/device.ts';
import { canonicalAddress } from '../model/device-address.ts';
import { httpDeviceErrors } from './errors.ts';
import { HttpProblem } from './http-problem.ts';
import { quoteText } from './quote-text.ts';

const failure = defineErrors(httpDeviceErrors);

/** What is asked of the device registry. */
export interface DeviceFinder<Device extends { readonly ref: DeviceRef }> {
  findDevice(ip: string, port: number): Device | undefined;
  findNearestDevice(ip: string, port: number): Device | undefined;
}

/** The device at this address and port. Throws an HttpProblem that names the nearest device when there is none. */
export function getDevice<Device extends { readonly ref: DeviceRef }>(
  registry: DeviceFinder<Device>,
  ip: string,
  port: number,
): Device {
  const device = registry.findDevice(ip, port);
  if (device !== undefined) return device;
  const near = registry.findNearestDevice(ip, port)?.ref;
  const nearest = near === undefined ? '' : ` The nearest is "${near.name}" at ${near.ip} port ${near.port}.`;
  const { code, message } = failure('HTTP_DEVICE_UNKNOWN', { ip, port, nearest });
  throw new HttpProblem(404, code, message, near === undefined ? {} : { nearest: near });
}

/** The device that the path of a request names. Throws an HttpProblem when there is none. */
export function getAddressedDevice<Device extends { readonly ref: DeviceRef }>(
  registry: DeviceFinder<Device>,
  { ip, port }: { readonly ip: string; readonly port: string },
): Device {
  return getDevice(registry, parseDeviceAddress(ip), parsePort(port));
}

/** The canonical spelling of an address or a host name. Throws an HttpProblem when it is neither. */
export function parseDeviceAddress(text: string): string {
  const address = canonicalAddress(text);
  if (address !== undefined) return address;
  const { code, message } = failure('HTTP_ADDRESS_IMPOSSIBLE', { received: quoteText(text) });
  throw new HttpProblem(400, code, message);
}

/** A port from 1 to 65535. Throws an HttpProblem for anything else. */
export function parsePort(value: number | string): number {
  const port = typeof value === 'number' ? value : /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  const { code, message } = failure('HTTP_PORT_IMPOSSIBLE', { received: quoteText(value) });
  throw new HttpProblem(400, code, message);
}

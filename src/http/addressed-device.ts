import { defineErrors } from '../kernel/errors.ts';
import { addressText, type DeviceRef } from '../model/device.ts';
import { canonicalAddress } from '../model/device-address.ts';
import { suggestName } from '../nearest-name.ts';
import { httpDeviceErrors } from './errors.ts';
import { HttpProblem } from './http-problem.ts';
import { quoteText } from './quote-text.ts';

const failure = defineErrors(httpDeviceErrors);

/** What is asked of the device registry. */
export interface DeviceFinder<Device extends { readonly ref: DeviceRef }> {
  devices(): Iterable<Device>;
  findDevice(ip: string, port: number): Device | undefined;
  findNearestDevice(ip: string, port: number): Device | undefined;
  findDevicesNamed(name: string): readonly Device[];
}

/** How the path of a request names a device: by its address and port, or in one text. */
export type DevicePath = { readonly ip: string; readonly port: string } | { readonly device: string };

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

/** The device that the path of a request names. Throws an HttpProblem when there is none, or more than one. */
export function getAddressedDevice<Device extends { readonly ref: DeviceRef }>(
  registry: DeviceFinder<Device>,
  path: DevicePath,
): Device {
  if ('device' in path) return getDeviceByText(registry, path.device);
  return getDevice(registry, parseDeviceAddress(path.ip), parsePort(path.port));
}

/** ADDRESS:PORT comes first, because it is unique; then the name, then an address that only one device has. */
function getDeviceByText<Device extends { readonly ref: DeviceRef }>(
  registry: DeviceFinder<Device>,
  text: string,
): Device {
  const { address = '', port = '' } = /^\[?(?<address>.+?)\]?:(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  const identified = registry.findDevice(address, Number(port));
  if (identified !== undefined) return identified;
  const named = registry.findDevicesNamed(text);
  const found = named.length > 0 ? named : listDevicesAt(registry, text);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    const suggestion = suggestName(text, listNames(registry));
    const { code, message } = failure('HTTP_DEVICE_NAME_UNKNOWN', { device: quoteText(text), suggestion });
    throw new HttpProblem(404, code, message);
  }
  const refs = found.map(({ ref }) => ref);
  const ids = refs.map(addressText).join(', ');
  const { code, message } = failure('HTTP_DEVICE_AMBIGUOUS', { device: quoteText(text), ids });
  throw new HttpProblem(409, code, message, { devices: refs });
}

function listDevicesAt<Device extends { readonly ref: DeviceRef }>(
  registry: DeviceFinder<Device>,
  text: string,
): Device[] {
  const address = canonicalAddress(text);
  return address === undefined ? [] : Array.from(registry.devices()).filter(({ ref }) => ref.ip === address);
}

/** A comparison of names takes a microsecond or two, and a request may not delay the polls. */
const maxCompared = 5000;

function* listNames(registry: DeviceFinder<{ readonly ref: DeviceRef }>): Generator<string> {
  let left = maxCompared;
  for (const { ref } of registry.devices()) {
    if (left-- === 0) return;
    yield ref.name;
  }
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

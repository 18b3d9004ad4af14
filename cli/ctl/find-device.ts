import type { ApiClient } from '../../src/client/index.ts';
import type { DevicePlace } from '../device/device-text.ts';

/** The address and port of a device. The collector knows ADDRESS:PORT, names, and addresses that only one device has. */
export async function findDevice(client: ApiClient, device: string, port?: string): Promise<DevicePlace> {
  if (port !== undefined) return { ip: device, port };
  const { body } = await client.call('getDeviceByName', { path: { device } });
  return { ip: body.ip, port: String(body.port) };
}

import type { AnswerBody, ApiClient } from '../../client/index.ts';
import { suggestName } from '../../nearest-name.ts';
import { cliFailure } from '../cli-errors.ts';
import { type DevicePlace, listPlaces } from '../device/device-text.ts';

type Summary = AnswerBody<'listDevices'>['devices'][number];

const pageSize = 500;

/**
 * Finds a device by its name, its address or ADDRESS:PORT. An address and a port are taken as they are. Throws
 * CTL_DEVICE_UNKNOWN when there is no such device, and CTL_DEVICE_AMBIGUOUS when several devices have the address.
 */
export async function findDevice(client: ApiClient, device: string, port?: string): Promise<DevicePlace> {
  if (port !== undefined) return { ip: device, port };
  const { address = device, digits } =
    /^\[?(?<address>.+?)\]?:(?<digits>\d{1,5})$/.exec(device)?.groups ?? {};
  const found = await listMatching(client, device);
  const named = found.find(({ name }) => name === device);
  if (named !== undefined) return placeOf(named);
  const here = found.filter(({ ip }) => ip === device);
  if (here.length === 1) return placeOf(here[0]!);
  if (here.length > 1)
    throw cliFailure('CTL_DEVICE_AMBIGUOUS', { address: device, devices: listPlaces(here) });
  if (digits !== undefined) return { ip: address, port: digits };
  const { body } = await client.call('listDevices', { query: { limit: pageSize } });
  const names = body.devices.map(({ name }) => name);
  throw cliFailure('CTL_DEVICE_UNKNOWN', { device, suggestion: suggestName(device, names) });
}

/** The address and port of the device of this name. */
export async function findNamed(client: ApiClient, name: string): Promise<DevicePlace | undefined> {
  const found = (await listMatching(client, name)).find((each) => each.name === name);
  return found && placeOf(found);
}

/** All devices with this text in the name or the address. */
async function listMatching(client: ApiClient, text: string): Promise<Summary[]> {
  const found: Summary[] = [];
  let cursor: string | undefined;
  do {
    const query = { text, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
    const { body } = await client.call('listDevices', { query });
    found.push(...body.devices);
    cursor = body.next;
  } while (cursor !== undefined);
  return found;
}

function placeOf({ ip, port }: Summary): DevicePlace {
  return { ip, port: String(port) };
}

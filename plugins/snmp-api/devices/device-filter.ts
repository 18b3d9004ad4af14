import { type Static, Type } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { Discovery } from '../../snmp-discovery/service.ts';
import { deviceStateSchema } from './device-schema.ts';
import { groupsOf } from './groups-of.ts';
import { vendorOf } from './vendors.ts';

const maxLength = 200;

/** The query parameters that select devices. */
export const deviceFilters = {
  state: Type.Optional(deviceStateSchema),
  group: Type.Optional(Type.String({ maxLength, description: 'a device group of the device' })),
  vendor: Type.Optional(
    Type.String({ maxLength, description: 'the maker, as GET /api/v1/snmp/vendors names it' }),
  ),
  tag: Type.Optional(
    Type.String({ maxLength, description: 'a tag of the device, such as site or site=lab' }),
  ),
  text: Type.Optional(Type.String({ maxLength, description: 'part of the name or address' })),
};

type Wanted = { readonly [Name in keyof typeof deviceFilters]?: Static<(typeof deviceFilters)[Name]> };

/** Says of each device whether a query selects it. The cheap questions come first. */
export class DeviceFilter {
  readonly isEmpty: boolean;
  readonly #wanted: Wanted;
  readonly #text: string | undefined;
  readonly #tag: readonly [key: string, value: string | undefined] | undefined;
  readonly #discovery: Pick<Discovery, 'findInventory'>;

  constructor(wanted: Wanted, discovery: Pick<Discovery, 'findInventory'>) {
    const { state, group, vendor, tag, text } = wanted;
    this.isEmpty = [state, group, vendor, tag, text].every((each) => each === undefined);
    this.#wanted = wanted;
    this.#text = text?.toLowerCase();
    const [key = '', ...value] = tag?.split('=') ?? [];
    if (tag !== undefined) this.#tag = [key, value.length === 0 ? undefined : value.join('=')];
    this.#discovery = discovery;
  }

  selects(device: Device): boolean {
    if (this.isEmpty) return true;
    const { state, group, vendor } = this.#wanted;
    if (state !== undefined && device.status.state !== state) return false;
    if (this.#text !== undefined && !hasText(device, this.#text)) return false;
    if (this.#tag !== undefined && !hasTag(device, this.#tag)) return false;
    if (group === undefined && vendor === undefined) return true;
    const inventory = this.#discovery.findInventory(device);
    if (group !== undefined && !groupsOf(device, inventory).includes(group)) return false;
    return vendor === undefined || vendorOf(inventory?.sysObjectId) === vendor;
  }
}

function hasText({ ref: { name, ip } }: Device, text: string): boolean {
  return name.toLowerCase().includes(text) || ip.includes(text);
}

function hasTag(
  { settings: { tags = {} } }: Device,
  [key, value]: readonly [string, string | undefined],
): boolean {
  return Object.hasOwn(tags, key) && (value === undefined || tags[key] === value);
}

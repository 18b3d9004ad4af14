import { type Static, type TSchema, Type } from '../typebox.ts';

/** A list in an answer. Its static type is readonly. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Unsafe<readonly Static<Item>[]>(Type.Array(item));
}

/** The name, address and port of a device, in answers. */
export const deviceRefSchema = Type.Object(
  {
    name: Type.String({ examples: ['core-1'] }),
    ip: Type.String({
      description: 'an address in its canonical spelling, or a host name',
      examples: ['192.0.2.1'],
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [161] }),
  },
  { title: 'DeviceRef' },
);

const deviceAddressSchema = Type.Object(
  {
    ip: Type.String({ minLength: 1, maxLength: 300, description: 'in any spelling, or a host name' }),
    port: Type.String({ pattern: '^\\d{1,5}$', description: 'from 1 to 65535' }),
  },
  { additionalProperties: false },
);

const deviceTextSchema = Type.Object(
  {
    device: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'ADDRESS:PORT, the name of a device, or an address that no other device has',
    }),
  },
  { additionalProperties: false },
);

/**
 * How the path of a route may name a device. A route about one device is registered for each, with `params` in its schema and
 * `suffix` at its operationId.
 */
export const devicePaths = [
  { path: '/api/v1/snmp/devices/:ip/:port', params: deviceAddressSchema, suffix: '' },
  { path: '/api/v1/snmp/devices/:device', params: deviceTextSchema, suffix: 'ByName' },
] as const;

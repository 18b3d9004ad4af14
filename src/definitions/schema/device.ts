import { Type } from '../../typebox.ts';
import { Key, OneOf, Seconds, Text } from '../keywords/scalars.ts';
import { CommunitySchema, V3CredentialSchema } from './credentials.ts';
import { replyTimeouts } from './reply-timeouts.ts';

const settings = {
  port: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      default: 161,
      description: 'The UDP port. Address and port together identify the device.',
    }),
  ),
  version: Type.Optional(OneOf(['1', '2c', '3', 1, 3], { description: 'The SNMP version.' })),
  communities: Type.Optional(
    Type.Array(CommunitySchema, {
      description: 'For versions 1 and 2c. They are tried in order; the one that works is remembered.',
    }),
  ),
  v3_credentials: Type.Optional(
    Type.Array(V3CredentialSchema, {
      description: 'For version 3. They are tried in order; the one that works is remembered.',
    }),
  ),
  device_groups: Type.Optional(
    Type.Array(Text({ description: 'The id of a device group.' }), {
      description: 'What to poll. Without it, the sysObjectID of the device decides.',
    }),
  ),
  poll_interval: Type.Optional(
    Seconds({
      description:
        'Seconds between polls of what changes: objects of the type dynamic, and those without a type. Other types keep their ratio to it. Without it, each type has its own interval, and objects without a type 60.',
    }),
  ),
  poll_intervals: Type.Optional(
    Type.Record(Key, Seconds({ description: 'Seconds between polls of objects of this type.' }), {
      additionalProperties: false,
      description: 'Seconds between polls, by object type. Other types follow poll_interval.',
    }),
  ),
  ...replyTimeouts,
  max_oids: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, default: 64, description: 'The most OIDs in one request.' }),
  ),
  max_repetitions: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 65_535 }), Type.Literal('auto')], {
      default: 'auto',
      description: 'The most rows in one GetBulk request. auto learns what the device can answer.',
    }),
  ),
  max_concurrent_polls: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      default: 4,
      description: 'The most requests under way at the same time.',
    }),
  ),
  cisco_qos_enabled: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Accepted for compatibility and ignored: no definition reads CISCO-CLASS-BASED-QOS-MIB.',
    }),
  ),
  context: Type.Optional(Type.String({ description: 'The SNMPv3 context name.' })),
  contexts: Type.Optional(
    Type.Array(Type.String(), { description: 'Several SNMPv3 contexts, each polled on its own.' }),
  ),
  tags: Type.Optional(
    Type.Record(Key, Type.String(), {
      additionalProperties: false,
      description: 'Labels for every record of the device.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'false: the device is not polled.' })),
  transport: Type.Optional(OneOf(['udp'], { default: 'udp', description: 'How packets travel.' })),
  reply_from: Type.Optional(
    OneOf(['any'], { description: 'any: accept replies from another address than the one that was asked.' }),
  ),
};

export const DeviceSchema = Type.Object(
  {
    ip: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'An IPv4 or IPv6 address, or a host name, which is resolved at each discovery.',
    }),
    ...settings,
  },
  { additionalProperties: false, description: 'A device to poll.' },
);

/** Every key that a device may leave out. A key that is present wins: `retries: 0` on a device overrides a default. */
export const DeviceDefaultsSchema = Type.Object(settings, {
  additionalProperties: false,
  description: 'Values for every device that leaves them out.',
});

import { Type } from '../../typebox.ts';
import { ObjectSchema } from '../keywords/object-keywords.ts';
import { OneOf, Seconds, Text } from '../keywords/scalars.ts';
import { CommunitySchema, V3CredentialSchema } from './credentials.ts';
import { DeviceDefaultsSchema, DeviceSchema } from './device.ts';
import { NotificationSchema } from './notification.ts';
import { replyTimeouts } from './reply-timeouts.ts';

const DeviceGroupSchema = Type.Object(
  {
    objects: Type.Optional(
      Type.Union([Type.Literal('auto'), Type.Array(Text({ description: 'auto, or the id of an object.' }))], {
        description:
          'auto: every object that the device answers, except those with `collect: on_request`. A list names objects; one of them may be auto.',
      }),
    ),
    object_groups: Type.Optional(
      Type.Array(Text({ description: 'The id of an object group.' }), {
        description:
          'Groups of objects. Beside auto, they are collected as well, also where auto would leave them out.',
      }),
    ),
    without: Type.Optional(
      Type.Array(Text({ description: 'The id of an object or of an object group.' }), {
        description: 'What this group leaves out of all that.',
      }),
    ),
  },
  { additionalProperties: false, description: 'What to poll on a kind of device.' },
);

const ObjectGroupSchema = Type.Object(
  { objects: Type.Array(Text({ description: 'The id of an object.' })) },
  { additionalProperties: false, description: 'Objects that belong together.' },
);

const ObjectTypeSchema = Type.Object(
  {
    poll_interval: Seconds({
      description:
        'Seconds between polls of objects of this type, on devices without a poll_interval of their own.',
    }),
  },
  { additionalProperties: false, description: 'A class of objects with the same poll interval.' },
);

/** Keys are whole numbers; values are taken as they are spelled. */
const IntegerEnumSchema = Type.Record(Type.String({ pattern: '^-?\\d{1,20}$' }), Type.String(), {
  additionalProperties: false,
  description: 'Texts by number.',
});

const BitmapEnumSchema = Type.Record(Type.String({ pattern: '^-?\\d{1,20}$' }), Type.String(), {
  additionalProperties: false,
  description: 'Names by bit number, 0 being the first bit of the first octet.',
});

const OidEnumSchema = Type.String({ description: 'The name of this OID.' });

const NetworkCredentialSchema = Type.Object(
  {
    version: OneOf(['1', '2c', '3', 1, 3], { description: 'The SNMP version.' }),
    community: Type.Optional(CommunitySchema),
    v3_credential: Type.Optional(V3CredentialSchema),
  },
  { additionalProperties: false },
);

const NetworkSchema = Type.Object(
  {
    credentials: Type.Array(NetworkCredentialSchema, {
      description: 'The credentials to try on each address, in order.',
    }),
    networks: Type.Array(Text({ description: 'A network in CIDR notation.' })),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, default: 161, description: 'The port of all addresses.' }),
    ),
    device_groups: Type.Optional(
      Type.Union(
        [Type.Literal('by_sysobjectid'), Type.Array(Text({ description: 'The id of a device group.' }))],
        {
          description:
            'What to poll on the devices found there; by_sysobjectid: the group that autodiscover/sysoids names. Without it, the group auto, or by_sysobjectid where the definitions have no such group.',
        },
      ),
    ),
    poll_interval: Type.Optional(
      Seconds({
        description: 'The poll_interval of the devices found there. Without it, that of defaults/device.yml.',
      }),
    ),
    ...replyTimeouts,
  },
  { additionalProperties: false, description: 'Networks to scan for devices.' },
);

const SysObjectIdSchema = Type.String({
  minLength: 1,
  description: 'The device group of this sysObjectID.',
});

/** What each kind of file holds: a map from id to one of these. */
export const definitionSchemas = {
  deviceDefaults: DeviceDefaultsSchema,
  objectTypes: ObjectTypeSchema,
  devices: DeviceSchema,
  deviceGroups: DeviceGroupSchema,
  objectGroups: ObjectGroupSchema,
  objects: ObjectSchema,
  notifications: NotificationSchema,
  integerEnums: IntegerEnumSchema,
  bitmapEnums: BitmapEnumSchema,
  oidEnums: OidEnumSchema,
  networks: NetworkSchema,
  sysObjectIds: SysObjectIdSchema,
} as const;

export type DefinitionKind = keyof typeof definitionSchemas;
export const definitionKinds = Object.keys(definitionSchemas) as readonly DefinitionKind[];

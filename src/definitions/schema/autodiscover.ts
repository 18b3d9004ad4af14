import { Type } from '../../typebox.ts';
import { CommunitySchema, V3CredentialSchema } from './credentials.ts';
import { waiting } from './reply-timeouts.ts';
import { OneOf, Seconds, Text } from './scalars.ts';

const NetworkCredentialSchema = Type.Object(
  {
    version: OneOf(['1', '2c', '3', 1, 3], { description: 'The SNMP version.' }),
    community: Type.Optional(CommunitySchema),
    v3_credential: Type.Optional(V3CredentialSchema),
  },
  { additionalProperties: false },
);

export const NetworkSchema = Type.Object(
  {
    credentials: Type.Array(NetworkCredentialSchema, { description: 'Tried in order on each address.' }),
    networks: Type.Array(Text({ description: 'A network in CIDR notation.' })),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, default: 161, description: 'The port of all addresses.' }),
    ),
    poll_interval: Type.Optional(
      Seconds({ default: 60, description: 'Seconds between polls of the devices that are found.' }),
    ),
    ...waiting,
  },
  { additionalProperties: false, description: 'Networks in which devices are looked for.' },
);

export const SysObjectIdSchema = Type.String({
  minLength: 1,
  description: 'The device group of this sysObjectID.',
});

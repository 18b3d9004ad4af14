import { type Static, secretOption, Type } from '../../../src/index.ts';
import { messageOptions, tlsSchema } from '../../../src/output-kit/index.ts';

export const natsOptions = Type.Object({
  servers: Type.Array(
    Type.String({ pattern: '^(nats|tls)://[^@/]+$', description: 'nats://host:port, or tls://host:port' }),
    { minItems: 1, description: 'servers of one cluster; the first that answers is used' },
  ),
  subject: Type.String({
    pattern: '^[^\\s*>]+$',
    default: 'waywiser.{device}.{record}',
    description: 'subject of a message, with {device}, {ip}, {port}, {record}, {plan}, {key} and {tag:NAME}',
  }),
  jetstream: Type.Boolean({
    default: false,
    description: 'wait until a stream has stored each message; the stream drops repeated messages',
  }),
  ...messageOptions,
  token: Type.Optional(secretOption({ description: 'token, instead of a user name' })),
  username: Type.Optional(Type.String({ description: 'user name' })),
  password: Type.Optional(secretOption({ description: 'password of username' })),
  credentials: Type.Optional(secretOption({ description: 'content of a .creds file: JWT and seed' })),
  tls: Type.Optional(tlsSchema),
});

export type NatsOptions = Static<typeof natsOptions>;

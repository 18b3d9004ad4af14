import { type Static, secretOption, Type } from '../../../src/index.ts';
import { messageOptions, tlsSchema } from '../../../src/output-kit/index.ts';

export const natsOptions = Type.Object({
  servers: Type.Array(
    Type.String({ pattern: '^(nats|tls)://[^@/]+$', description: 'nats://host:port, or tls://host:port' }),
    { minItems: 1, description: 'servers of one cluster; the first that answers is taken' },
  ),
  subject: Type.String({
    pattern: '^[^\\s*>]+$',
    default: 'waywiser.{device}.{record}',
    description: 'where messages go, with {device}, {ip}, {port}, {record}, {plan}, {key} and {tag:NAME}',
  }),
  jetstream: Type.Boolean({
    default: false,
    description: 'wait until a stream has stored each message, and let it drop repeats',
  }),
  ...messageOptions,
  token: Type.Optional(secretOption({ description: 'authenticates alone' })),
  username: Type.Optional(Type.String({ description: 'authenticates with the password' })),
  password: Type.Optional(secretOption({ description: 'of the user' })),
  credentials: Type.Optional(secretOption({ description: 'the content of a .creds file: JWT and seed' })),
  tls: Type.Optional(tlsSchema),
});

export type NatsOptions = Static<typeof natsOptions>;

import { type Static, secretOption, Type } from '../../../src/index.ts';
import { messageOptions, tlsSchema } from '../../../src/output-kit/index.ts';

export const kafkaOptions = Type.Object({
  brokers: Type.Array(Type.String({ pattern: '^[^@/\\s]+:\\d+$', description: 'host:port' }), {
    minItems: 1,
    description: 'brokers of one cluster, to begin with: host:port',
  }),
  topic: Type.String({ pattern: '^[a-zA-Z0-9._-]{1,249}$', description: 'must be there' }),
  ...messageOptions,
  compression: Type.Union([Type.Literal('none'), Type.Literal('gzip')], {
    default: 'gzip',
    description: 'of what is sent: none or gzip',
  }),
  max_message_bytes: Type.Integer({
    minimum: 1_000,
    maximum: 100_000_000,
    default: 1_000_000,
    description:
      'what the topic takes: a larger document is dropped and counted, a larger batch becomes several messages',
  }),
  mechanism: Type.Union(
    [Type.Literal('SCRAM-SHA-512'), Type.Literal('SCRAM-SHA-256'), Type.Literal('PLAIN')],
    { default: 'SCRAM-SHA-512', description: 'how the user authenticates (SASL), when there is one' },
  ),
  username: Type.Optional(Type.String({ description: 'authenticates with the password' })),
  password: Type.Optional(secretOption({ description: 'of the user' })),
  tls: Type.Optional(tlsSchema),
});

export type KafkaOptions = Static<typeof kafkaOptions>;

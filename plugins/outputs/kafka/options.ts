import { type Static, secretOption, Type } from '../../../src/index.ts';
import { messageOptions, tlsSchema } from '../../../src/output-kit/index.ts';

export const kafkaOptions = Type.Object({
  brokers: Type.Array(Type.String({ pattern: '^[^@/\\s]+:\\d+$', description: 'host:port' }), {
    minItems: 1,
    description: 'some brokers of the cluster: host:port',
  }),
  topic: Type.String({ pattern: '^[a-zA-Z0-9._-]{1,249}$', description: 'topic, which must exist' }),
  ...messageOptions,
  compression: Type.Union([Type.Literal('none'), Type.Literal('gzip')], {
    default: 'gzip',
    description: 'compression of messages: none or gzip',
  }),
  max_message_bytes: Type.Integer({
    minimum: 1_000,
    maximum: 100_000_000,
    default: 1_000_000,
    description:
      'largest message of the topic: a larger document is dropped and counted, a larger batch becomes several messages',
  }),
  mechanism: Type.Union(
    [Type.Literal('SCRAM-SHA-512'), Type.Literal('SCRAM-SHA-256'), Type.Literal('PLAIN')],
    { default: 'SCRAM-SHA-512', description: 'SASL mechanism for username and password' },
  ),
  username: Type.Optional(Type.String({ description: 'user name for SASL' })),
  password: Type.Optional(secretOption({ description: 'password of username' })),
  tls: Type.Optional(tlsSchema),
});

export type KafkaOptions = Static<typeof kafkaOptions>;

import { type Static, secretOption, Type } from '../../../src/index.ts';
import { messageOptions, tlsSchema } from '../../../src/output-kit/index.ts';

export const mqttOptions = Type.Object({
  url: Type.String({
    pattern: '^(mqtts?|wss?)://[^@]+$',
    description: 'URL of the broker: mqtt://host:port, mqtts://, ws:// or wss://',
  }),
  topic: Type.String({
    pattern: '^[^+#\\u0000]+$',
    default: 'waywiser/{device}/{record}/{key}',
    description: 'topic of a message, with {device}, {ip}, {port}, {record}, {plan}, {key} and {tag:NAME}',
  }),
  qos: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
    default: 1,
    description:
      'quality of service: a message counts as delivered when it was sent (0), acknowledged (1), or acknowledged in two steps (2)',
  }),
  retain: Type.Boolean({ default: false, description: 'the broker keeps the last message of each topic' }),
  version: Type.Union([Type.Literal('5'), Type.Literal('3.1.1')], {
    default: '5',
    description: 'version of MQTT; with 3.1.1 a broker does not report refused messages',
  }),
  client_id: Type.Optional(
    Type.String({ minLength: 1, description: 'client identifier; by default a new one at each start' }),
  ),
  ...messageOptions,
  max_message_bytes: Type.Integer({
    minimum: 1_000,
    maximum: 268_000_000,
    default: 1_000_000,
    description: 'a larger document is dropped and counted, a larger batch becomes several messages',
  }),
  username: Type.Optional(Type.String({ description: 'user name' })),
  password: Type.Optional(secretOption({ description: 'password of username' })),
  tls: Type.Optional(tlsSchema),
});

export type MqttOptions = Static<typeof mqttOptions>;

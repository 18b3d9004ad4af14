import { type Static, secretOption, Type } from '../../../src/index.ts';
import { messageOptions, tlsSchema } from '../../../src/output-kit/index.ts';

export const mqttOptions = Type.Object({
  url: Type.String({
    pattern: '^(mqtts?|wss?)://[^@]+$',
    description: 'the broker: mqtt://host:port, mqtts://, ws:// or wss://',
  }),
  topic: Type.String({
    pattern: '^[^+#\\u0000]+$',
    default: 'waywiser/{device}/{record}/{key}',
    description: 'where messages go, with {device}, {ip}, {port}, {record}, {plan}, {key} and {tag:NAME}',
  }),
  qos: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
    default: 1,
    description: 'what counts as delivered: 0 sent, 1 acknowledged, 2 acknowledged once',
  }),
  retain: Type.Boolean({ default: false, description: 'the broker keeps the last message of each topic' }),
  version: Type.Union([Type.Literal('5'), Type.Literal('3.1.1')], {
    default: '5',
    description: 'of the protocol; 3.1.1 does not tell what a broker refused',
  }),
  client_id: Type.Optional(
    Type.String({ minLength: 1, description: 'a name of its own at each start without it' }),
  ),
  ...messageOptions,
  max_message_bytes: Type.Integer({
    minimum: 1_000,
    maximum: 268_000_000,
    default: 1_000_000,
    description: 'a larger document is dropped and counted, a larger batch becomes several messages',
  }),
  username: Type.Optional(Type.String({ description: 'authenticates with the password' })),
  password: Type.Optional(secretOption({ description: 'of the user' })),
  tls: Type.Optional(tlsSchema),
});

export type MqttOptions = Static<typeof mqttOptions>;

import { pathOption, type Static, secretOption, Type } from '../../src/index.ts';

const tlsOptions = (whose: string) =>
  Type.Object(
    {
      ca: Type.Optional(
        pathOption({ description: `the authorities that signed the certificates of ${whose}, PEM` }),
      ),
      cert: Type.Optional(pathOption({ description: 'the certificate of this member, PEM' })),
      key: Type.Optional(pathOption({ description: 'the private key of that certificate, PEM' })),
    },
    { additionalProperties: false, default: {}, description: `TLS files for connections to ${whose}` },
  );

export const clusterOptions = Type.Object({
  name: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'the name of this member, which no other one has; the host name by default',
    }),
  ),
  weight: Type.Number({
    minimum: 0,
    maximum: 1000,
    default: 1,
    description: 'the share of the devices, compared with the weights of the other members; 0 means none',
  }),
  advertise: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#@]+/?$',
      description:
        'the URL under which the other members reach the HTTP API of this one, such as https://10.0.0.1:8080',
    }),
  ),
  token: Type.Optional(
    secretOption({ description: 'with this token members call each other; the same for all of them' }),
  ),
  tls: tlsOptions('other members'),
  etcd: Type.Object(
    {
      endpoints: Type.Array(Type.String({ pattern: '^https?://[^/?#@]+/?$' }), {
        minItems: 1,
        default: ['http://127.0.0.1:2379'],
        description: 'the client URLs of etcd 3.4 or later; the next one is tried when one does not answer',
      }),
      prefix: Type.String({
        pattern: '^/[A-Za-z0-9._/-]+$',
        default: '/waywiser',
        description: 'where the keys of this fleet begin; another fleet needs another prefix',
      }),
      username: Type.Optional(Type.String({ minLength: 1, description: 'a user of etcd' })),
      password: Type.Optional(secretOption({ description: "the user's password" })),
      tls: tlsOptions('etcd'),
    },
    { additionalProperties: false, default: {}, description: 'the store in which members claim devices' },
  ),
  lease_seconds: Type.Integer({
    minimum: 3,
    maximum: 300,
    default: 10,
    description: 'how long a member that does not answer keeps its devices; others take over after that',
  }),
  on_outage: Type.Union([Type.Literal('stop'), Type.Literal('keep')], {
    default: 'stop',
    description:
      'while etcd cannot be reached: stop asking devices before others may ask them, or keep asking them and risk that two members do',
  }),
  moves_per_second: Type.Integer({
    minimum: 1,
    maximum: 1024,
    default: 100,
    description: 'how many of the 1,024 shards a member gives to others per second',
  }),
  accept_new_cluster: Type.Boolean({
    default: false,
    description:
      'use etcd although its data is not the data that this member used before; remove it afterwards',
  }),
});

export type ClusterOptions = Static<typeof clusterOptions>;

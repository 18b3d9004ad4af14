import { pathOption, type Static, Type } from '../../src/index.ts';
import { passwordSchema } from './security/credentials/stored-password.ts';
import { tokenSchema } from './security/credentials/stored-token.ts';

export const httpOptions = Type.Object({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'the address to listen on; any but loopback needs authentication',
  }),
  port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: '0: one the system picks' }),
  hosts: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description:
      'names, without a port, that clients may call the collector by; its own addresses are always taken',
  }),
  tokens: Type.Array(tokenSchema, {
    default: [],
    description: 'who may call, beside the tokens that `waywiser token new` keeps in the state directory',
  }),
  passwords: Type.Array(passwordSchema, {
    default: [],
    description: 'the same for HTTP basic authentication, beside those of `waywiser password new`',
  }),
  insecure: Type.Boolean({
    default: false,
    description: 'serve everyone without authentication, also beyond loopback',
  }),
  tls: Type.Optional(
    Type.Object(
      {
        certificate: pathOption({ description: 'the certificate and those between it and the root, PEM' }),
        key: pathOption({ description: 'the private key, PEM' }),
        client_authorities: Type.Optional(
          pathOption({ description: 'who may sign the certificates that clients must then show, PEM' }),
        ),
      },
      { description: 'HTTPS; the files are read again when they change' },
    ),
  ),
  wait_ms: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 60_000,
    description: 'how long a request with wait=true waits',
  }),
  managed_devices: Type.Object(
    {
      networks: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          description:
            'where they may be, such as 192.0.2.0/24; without it anywhere but loopback, link-local, multicast and broadcast',
        }),
      ),
      secrets: Type.Array(Type.String({ pattern: '^(env|file):[\\w.-]*\\*?$' }), {
        default: ['env:*', 'file:*'],
        description: 'which secrets they may name, such as env:SNMP_* or file:core',
      }),
      host_names: Type.Boolean({ default: false, description: 'take host names too, wherever they lead' }),
    },
    { default: {}, description: 'devices that come by the API' },
  ),
  limits: Type.Object(
    {
      body_bytes: Type.Integer({ minimum: 1024, default: 262_144, description: 'of a body' }),
      header_bytes: Type.Integer({ minimum: 2048, default: 16_384, description: 'of all headers together' }),
      request_ms: Type.Integer({
        minimum: 100,
        default: 10_000,
        description: 'for a whole request to arrive',
      }),
      send_ms: Type.Integer({
        minimum: 100,
        default: 20_000,
        description: 'for a client to take more of a large answer',
      }),
      requests_per_second: Type.Integer({
        minimum: 1,
        default: 500,
        description: 'from one address',
      }),
      password_attempts_per_minute: Type.Integer({
        minimum: 1,
        default: 10,
        description: 'wrong passwords from one address',
      }),
      loop_delay_ms: Type.Integer({
        minimum: 10,
        default: 1000,
        description: 'how late the collector may be with its work before it answers 503',
      }),
      connections: Type.Integer({ minimum: 1, default: 2000, description: 'at once' }),
    },
    { default: {}, description: 'what one client may take' },
  ),
});

export type HttpOptions = Static<typeof httpOptions>;

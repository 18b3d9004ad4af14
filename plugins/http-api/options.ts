import { pathOption, type Static, Type } from '../../src/index.ts';
import { passwordSchema } from './security/credentials/stored-password.ts';
import { tokenSchema } from './security/credentials/stored-token.ts';

export const httpOptions = Type.Object({
  host: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'the address to listen on; any address other than loopback requires authentication',
  }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8080,
    description: 'the port to listen on; 0 means any free port',
  }),
  hosts: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description:
      'host names and addresses, without a port, that clients may use beside localhost and the addresses that the collector listens on',
  }),
  tokens: Type.Array(tokenSchema, {
    default: [],
    description: 'tokens, in addition to those that `waywiser token new` stores in the state directory',
  }),
  passwords: Type.Array(passwordSchema, {
    default: [],
    description: 'passwords for HTTP basic authentication, in addition to those of `waywiser password new`',
  }),
  insecure: Type.Boolean({
    default: false,
    description: 'serve every client without authentication, even on addresses other than loopback',
  }),
  tls: Type.Optional(
    Type.Object(
      {
        certificate: pathOption({ description: 'the certificate and its intermediate certificates, PEM' }),
        key: pathOption({ description: 'the private key, PEM' }),
        client_authorities: Type.Optional(
          pathOption({
            description:
              'the authorities that must have signed the certificates of clients, PEM; clients without a certificate are refused',
          }),
        ),
      },
      { description: 'serve HTTPS; the files are read again when they change' },
    ),
  ),
  wait_ms: Type.Integer({
    minimum: 1,
    maximum: 600_000,
    default: 60_000,
    description: 'the longest time that a request with wait=true waits',
  }),
  managed_devices: Type.Object(
    {
      networks: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          description:
            'the networks they may be in, such as 192.0.2.0/24; by default all addresses except loopback, link-local, multicast and broadcast',
        }),
      ),
      secrets: Type.Array(Type.String({ pattern: '^(env|file):[\\w.-]*\\*?$' }), {
        default: ['env:*', 'file:*'],
        description: 'the secrets they may refer to, such as env:SNMP_* or file:core',
      }),
      host_names: Type.Boolean({
        default: false,
        description: 'also accept host names, whatever address they resolve to',
      }),
    },
    { default: {}, description: 'rules for devices that clients add over the API' },
  ),
  limits: Type.Object(
    {
      body_bytes: Type.Integer({
        minimum: 1024,
        default: 262_144,
        description: 'the maximum size of a body',
      }),
      header_bytes: Type.Integer({
        minimum: 2048,
        default: 16_384,
        description: 'the maximum size of all headers together',
      }),
      request_ms: Type.Integer({
        minimum: 100,
        default: 10_000,
        description: 'the time within which a complete request must arrive',
      }),
      send_ms: Type.Integer({
        minimum: 100,
        default: 20_000,
        description: 'disconnect a client that reads nothing of a large answer for this long',
      }),
      requests_per_second: Type.Integer({
        minimum: 1,
        default: 500,
        description: 'the maximum number of requests per second from one address',
      }),
      password_attempts_per_minute: Type.Integer({
        minimum: 1,
        default: 10,
        description: 'the maximum number of wrong passwords per minute from one address',
      }),
      loop_delay_ms: Type.Integer({
        minimum: 10,
        default: 1000,
        description: 'answer 503 when the collector is later than this with its own work',
      }),
      connections: Type.Integer({
        minimum: 1,
        default: 2000,
        description:
          'the maximum number of open connections; one more closes the oldest of the address that has the most',
      }),
      connections_per_address: Type.Integer({
        minimum: 1,
        default: 1000,
        description:
          'the maximum number of open connections from one address; behind a reverse proxy all clients have the address of the proxy',
      }),
    },
    { default: {}, description: 'limits that protect the collector from its clients' },
  ),
});

export type HttpOptions = Static<typeof httpOptions>;

import type { JetStreamClient } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import {
  type ConnectionDriver,
  connectionFailure,
  importOptional,
  type Logger,
  nameConnectionFailure,
  readTlsFiles,
} from '../../../src/index.ts';
import type { NatsOptions } from './options.ts';

/** The packages, as they are imported. */
export interface NatsPackages {
  transport(): Promise<typeof import('@nats-io/transport-node')>;
  jetstream(): Promise<typeof import('@nats-io/jetstream')>;
}

export interface OpenNats {
  readonly connection: NatsConnection;
  /** Undefined when messages are published without a stream. */
  readonly stream: JetStreamClient | undefined;
  /** Refused publications since it was asked last, by subject. */
  takeRefusals(): ReadonlySet<string>;
}

const handshakeMs = 10_000;

/** Throws when a package is missing or a TLS file cannot be read. */
export async function createNatsDriver(
  options: NatsOptions,
  { clientName, packages, log }: { clientName: string; packages: NatsPackages; log: Logger },
): Promise<ConnectionDriver<OpenNats>> {
  const transport = await importOptional('@nats-io/transport-node@3', packages.transport);
  const jetstream = options.jetstream
    ? await importOptional('@nats-io/jetstream@3', packages.jetstream)
    : undefined;
  const isSecure = options.tls !== undefined || options.servers.some((url) => url.startsWith('tls:'));
  const { ca, cert, key } = readTlsFiles(options.tls);
  const settings: ConnectionOptions = {
    servers: options.servers.map((url) => url.replace(/^\w+:\/\//, '')),
    name: clientName,
    reconnect: false,
    timeout: handshakeMs,
    noAsyncTraces: true,
    ...(isSecure
      ? { tls: { ...text('ca', ca), ...text('cert', cert), ...text('key', key) } }
      : { tls: null }),
    ...authentication(options, transport.credsAuthenticator),
  };
  return {
    async open() {
      const connection = await transport.connect(settings).catch((error: unknown) => {
        throw nameFailure(options.servers.join(', '), error, transport.errors.AuthorizationError);
      });
      const server = connection.getServer();
      log.info(
        { server, version: connection.info?.version, tls: isSecure },
        `Connected to NATS at ${server}${isSecure ? ', encrypted' : ''}.`,
      );
      return {
        connection,
        stream: jetstream?.jetstream(connection),
        takeRefusals: collectRefusals(connection, transport.errors.PermissionViolationError),
      };
    },
    isOpen: ({ connection }) => !connection.isClosed(),
    close: async ({ connection }) => connection.close().catch(() => {}),
  };
}

/** The library wants text where it takes certificates. */
function text(name: string, file: Buffer | undefined) {
  return file === undefined ? {} : { [name]: file.toString() };
}

function authentication(
  { token, username, password, credentials }: NatsOptions,
  credsAuthenticator: typeof import('@nats-io/transport-node').credsAuthenticator,
): ConnectionOptions {
  if (credentials !== undefined) {
    return { authenticator: credsAuthenticator(Buffer.from(credentials.reveal())) };
  }
  if (token !== undefined) return { token: token.reveal() };
  return username === undefined ? {} : { user: username, pass: password?.reveal() ?? '' };
}

function nameFailure(
  server: string,
  error: unknown,
  AuthorizationError: new (message: string) => Error,
): unknown {
  if (error instanceof AuthorizationError)
    return connectionFailure('SERVER_REFUSED_LOGIN', { server }, error);
  return nameConnectionFailure(server, error);
}

/** The server tells what a user may not publish besides the messages, not in answer to one. */
function collectRefusals(
  connection: NatsConnection,
  PermissionViolationError: typeof import('@nats-io/transport-node').PermissionViolationError,
): () => ReadonlySet<string> {
  let refused = new Set<string>();
  const listen = async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
      if (status.error.operation === 'publish') refused.add(status.error.subject);
    }
  };
  listen().catch(() => {});
  return () => {
    const taken = refused;
    refused = new Set();
    return taken;
  };
}

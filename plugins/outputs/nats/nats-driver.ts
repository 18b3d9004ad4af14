import type { Socket } from 'node:net';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import {
  type ConnectionDriver,
  connectionFailure,
  importOptional,
  type Logger,
  nameConnectionFailure,
  readTlsFiles,
  type TlsFiles,
} from '../../../src/index.ts';
import { dialWithin } from './dialled-sockets.ts';
import type { NatsOptions } from './options.ts';

/** The packages, as they are imported. */
export interface NatsPackages {
  transport(): Promise<typeof import('@nats-io/transport-node')>;
  jetstream(): Promise<typeof import('@nats-io/jetstream')>;
}

export interface OpenNats {
  readonly connection: NatsConnection;
  readonly sockets: ReadonlySet<Socket>;
  /** Undefined when messages are published without a stream. */
  readonly stream: JetStreamClient | undefined;
  /** Refused publications since it was asked last, by subject. */
  takeRefusals(): ReadonlySet<string>;
}

const handshakeMs = 10_000;

/** Throws when a package is missing or a TLS file cannot be used. */
export async function createNatsDriver(
  options: NatsOptions,
  { clientName, packages, log }: { clientName: string; packages: NatsPackages; log: Logger },
): Promise<ConnectionDriver<OpenNats>> {
  const transport = await importOptional('@nats-io/transport-node@3', packages.transport);
  const jetstream = options.jetstream
    ? await importOptional('@nats-io/jetstream@3', packages.jetstream)
    : undefined;
  const isSecure = options.tls !== undefined || options.servers.some((url) => url.startsWith('tls:'));
  const place = `NATS at ${options.servers.join(', ')}`;
  const readTls = () => (isSecure ? asTexts(readTlsFiles(options.tls ?? {}, place)) : null);
  readTls();
  const settings: ConnectionOptions = {
    servers: options.servers.map((url) => url.replace(/^\w+:\/\//, '')),
    name: clientName,
    reconnect: false,
    timeout: handshakeMs,
    noAsyncTraces: true,
    ...authentication(options, transport.credsAuthenticator),
  };
  return {
    async open(signal) {
      const tls = readTls();
      const dial = () => transport.connect({ ...settings, tls });
      const { result: connection, sockets } = await dialWithin(signal, dial).catch((error: unknown) => {
        if (!(error instanceof transport.errors.AuthorizationError))
          throw nameConnectionFailure(place, error, { handshake: isSecure });
        throw connectionFailure('SERVER_REFUSED_LOGIN', { server: place }, error);
      });
      const server = connection.getServer();
      log.info(
        { server, version: connection.info?.version, tls: isSecure },
        `Connected to NATS at ${server}${isSecure ? ', encrypted' : ''}.`,
      );
      return {
        connection,
        sockets,
        stream: jetstream?.jetstream(connection),
        takeRefusals: collectRefusals(connection, transport.errors.PermissionViolationError),
      };
    },
    isOpen: ({ connection }) => !connection.isClosed(),
    close: ({ connection }) => connection.close(),
    destroy({ connection, sockets }) {
      connection.close().catch(() => {});
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The library wants text where it takes certificates. */
function asTexts(files: TlsFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, file.toString()]));
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

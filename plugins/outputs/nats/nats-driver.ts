import type { Socket } from 'node:net';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../../../src/index.ts';
import {
  type ConnectionDriver,
  connectionFailure,
  importOptional,
  nameConnectionFailure,
  readTlsFiles,
  type TlsFiles,
} from '../../../src/output-kit/index.ts';
import { dialWithin } from './dialled-sockets.ts';
import { ForbiddenSubjects } from './forbidden-subjects.ts';
import type { NatsOptions } from './options.ts';

/** The package, as it is imported. */
type NatsPackage = typeof import('@nats-io/transport-node');
export type LoadNats = () => Promise<NatsPackage>;

export interface OpenNats {
  readonly connection: NatsConnection;
  readonly sockets: ReadonlySet<Socket>;
  readonly transport: Pick<NatsPackage, 'createInbox' | 'headers'>;
  readonly forbidden: ForbiddenSubjects;
  /** Aborts when the connection is gone. */
  readonly lost: AbortSignal;
}

const handshakeMs = 10_000;

/** Throws when the package is missing or a TLS file cannot be used. */
export async function createNatsDriver(
  options: NatsOptions,
  { clientName, load, log }: { clientName: string; load: LoadNats; log: Logger },
): Promise<ConnectionDriver<OpenNats>> {
  const transport = await importOptional('@nats-io/transport-node@3', load);
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
      const lost = new AbortController();
      connection.closed().then((why) => lost.abort(why ?? new Error('the connection was closed')));
      const forbidden = new ForbiddenSubjects(connection, transport.errors.PermissionViolationError);
      return { connection, sockets, transport, forbidden, lost: lost.signal };
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

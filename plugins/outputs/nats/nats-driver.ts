import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
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
import type { NatsOptions } from './options.ts';

/** The package, as it is imported. */
type NatsPackage = typeof import('@nats-io/transport-node');
export type LoadNats = () => Promise<NatsPackage>;

export interface OpenNats {
  readonly connection: NatsConnection;
  readonly sockets: ReadonlySet<Socket>;
  readonly transport: Pick<NatsPackage, 'createInbox' | 'headers'>;
  readonly forbidden: ForbiddenSubjects;
  /** Aborts when the connection is lost. */
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
  };
  const login = () => authentication(options, transport.credsAuthenticator);
  return {
    async open(signal) {
      const tls = readTls();
      const dial = () => transport.connect({ ...settings, ...login(), tls });
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

/** The library takes certificates as text. */
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

/** The channel on which node:net reports every socket that `connect` makes. */
const channel = 'net.client.socket';
const currentDial = new AsyncLocalStorage<ReadonlySet<Socket>>();

/**
 * Runs `dial` and also returns the sockets that it made. The package cannot cancel a connection attempt, and never closes the socket of a
 * server that sends nothing. When the signal aborts or `dial` fails, the sockets are destroyed.
 */
async function dialWithin<Result>(
  signal: AbortSignal,
  dial: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly sockets: ReadonlySet<Socket> }> {
  const sockets = new Set<Socket>();
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const watch = (message: unknown) => {
    if (currentDial.getStore() !== sockets) return;
    const { socket } = message as { readonly socket: Socket };
    sockets.add(socket);
    if (signal.aborted) socket.destroy();
  };
  subscribe(channel, watch);
  signal.addEventListener('abort', destroyAll, { once: true });
  try {
    return { result: await currentDial.run(sockets, dial), sockets };
  } catch (error) {
    destroyAll();
    throw error;
  } finally {
    unsubscribe(channel, watch);
    signal.removeEventListener('abort', destroyAll);
  }
}

type PermissionError = typeof import('@nats-io/transport-node').PermissionViolationError;

/** The server reports subjects that the user may not publish to, but not in reply to a message. */
export class ForbiddenSubjects {
  #subjects = new Set<string>();
  #onRefused: ((subject: string) => void) | undefined;

  constructor(connection: NatsConnection, PermissionViolationError: PermissionError) {
    const listen = async () => {
      for await (const status of connection.status()) {
        if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
        const { operation, subject } = status.error;
        if (operation !== 'publish') continue;
        this.#subjects.add(subject);
        this.#onRefused?.(subject);
      }
    };
    listen().catch(() => {});
  }

  /** Calls `onRefused` for each message that is refused from now on. */
  watch(onRefused: ((subject: string) => void) | undefined): void {
    this.#onRefused = onRefused;
  }

  /** Returns the subjects refused since the last call. */
  take(): ReadonlySet<string> {
    const taken = this.#subjects;
    this.#subjects = new Set();
    return taken;
  }
}

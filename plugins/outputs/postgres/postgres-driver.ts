import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig, Client as PgClient } from 'pg';
import {
  type ConnectionDriver,
  connectionFailure,
  importOptional,
  type Logger,
  nameConnectionFailure,
  readTlsFiles,
} from '../../../src/index.ts';
import type { PostgresOptions } from './options.ts';
import { sqlState } from './sql-state.ts';
import { TableKeeper } from './tables/table-keeper.ts';

/** The package, as it is imported. */
export type LoadPostgres = () => Promise<Pick<typeof import('pg'), 'Client'>>;

export interface OpenPostgres {
  readonly client: PgClient;
  readonly tables: TableKeeper;
  isOpen: boolean;
}

const handshakeMs = 10_000;
const goodbyeMs = 200;

/** Throws when the package is missing or a TLS file cannot be read. */
export async function createPostgresDriver(
  options: PostgresOptions,
  {
    load,
    log,
    clientName,
  }: { readonly load: LoadPostgres; readonly log: Logger; readonly clientName: string },
): Promise<ConnectionDriver<OpenPostgres>> {
  const { Client } = await importOptional('pg@8', load);
  const { host, port, database, schema, username, password, tls } = options;
  const server = `PostgreSQL at ${host}:${port}`;
  const settings: ClientConfig = {
    host,
    port,
    database,
    user: username,
    ...(password === undefined ? {} : { password: password.reveal() }),
    ssl: tls === undefined ? false : readTlsFiles(tls),
    application_name: clientName,
    connectionTimeoutMillis: handshakeMs,
    keepAlive: true,
  };
  return {
    async open() {
      const client = new Client(settings);
      const opened = { client, tables: new TableKeeper(client, { schema, log }), isOpen: true };
      const markClosed = () => {
        opened.isOpen = false;
      };
      client.on('error', markClosed).on('end', markClosed);
      try {
        await client.connect();
        const { rows } = await client.query<{ readonly server_version: string }>('SHOW server_version');
        const version = rows[0]?.server_version;
        log.info({ server, version, tls: tls !== undefined }, `Connected to ${server} as ${username}.`);
        return opened;
      } catch (error) {
        await close(client);
        throw nameFailure(server, database, error);
      }
    },
    isOpen: (opened) => opened.isOpen,
    close: ({ client }) => close(client),
  };
}

/** The package says goodbye and waits for the server; one that hangs must not hold up anybody. */
async function close(client: PgClient): Promise<void> {
  const goodbye = client.end().catch(() => {});
  await Promise.race([goodbye, sleep(goodbyeMs, undefined, { ref: false })]);
  client.connection.stream.destroy();
}

function nameFailure(server: string, database: string, error: unknown): unknown {
  const state = sqlState(error);
  if (state.startsWith('28')) return connectionFailure('SERVER_REFUSED_LOGIN', { server }, error);
  if (state === '3D000') {
    return connectionFailure('SERVER_LACKS_PLACE', { server, place: `database ${database}` }, error);
  }
  return nameConnectionFailure(server, error);
}

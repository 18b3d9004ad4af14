import type { ClientConfig, Client as PgClient } from 'pg';
import type { Logger } from '../../../src/index.ts';
import {
  type ConnectionDriver,
  connectionFailure,
  importOptional,
  nameConnectionFailure,
  readTlsFiles,
} from '../../../src/output-kit/index.ts';
import type { PostgresOptions } from './options.ts';
import { sqlState } from './sql-state.ts';
import { OwnerTable } from './tables/owner-table.ts';
import { TableMigrator } from './tables/table-migrator.ts';

/** The package, as it is imported. */
export type LoadPostgres = () => Promise<Pick<typeof import('pg'), 'Client'>>;

export interface OpenPostgres {
  readonly client: PgClient;
  readonly tables: TableMigrator;
  readonly owners: OwnerTable;
  isOpen: boolean;
}

const handshakeMs = 10_000;

/** Throws when the package is missing or a TLS file cannot be used. */
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
    application_name: clientName,
    connectionTimeoutMillis: handshakeMs,
    keepAlive: true,
  };
  const login = () => (password === undefined ? {} : { password: password.reveal() });
  const readTls = () => (tls === undefined ? false : readTlsFiles(tls, server));
  readTls();
  const nameFailure = (error: unknown): unknown => {
    const state = sqlState(error);
    if (state.startsWith('28')) return connectionFailure('SERVER_REFUSED_LOGIN', { server }, error);
    if (state !== '3D000') return nameConnectionFailure(server, error, { handshake: tls !== undefined });
    return connectionFailure('SERVER_LACKS_PLACE', { server, place: `database ${database}` }, error);
  };
  return {
    async open(signal) {
      const client = new Client({ ...settings, ...login(), ssl: readTls() });
      const opened = {
        client,
        tables: new TableMigrator(client, { schema, log }),
        owners: new OwnerTable(client, schema),
        isOpen: true,
      };
      const markClosed = () => {
        opened.isOpen = false;
      };
      client.on('error', markClosed).on('end', markClosed);
      const giveUp = () => destroy(client);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        await client.connect();
        const { rows } = await client.query<{ readonly server_version: string }>('SHOW server_version');
        const version = rows[0]?.server_version;
        log.info({ server, version, tls: tls !== undefined }, `Connected to ${server} as ${username}.`);
        return opened;
      } catch (error) {
        destroy(client);
        throw nameFailure(error);
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    isOpen: (opened) => opened.isOpen,
    close: ({ client }) => client.end(),
    destroy: ({ client }) => destroy(client),
  };
}

/** After the TLS handshake the connection has another socket, so it is read here. */
function destroy(client: PgClient): void {
  client.connection.stream.destroy();
}

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from '../../../support/free-port.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { type RealServer, startRealServer } from '../support/real-server.ts';

export interface RealPostgres extends RealServer {
  readonly certificates: Certificates;
}

export const adminPassword = 'correct-horse';

/** A server with one user, `admin`. It does not run as root, so root starts it as Debian's user. */
export async function startRealPostgres(): Promise<RealPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-postgres-'));
  const owner = process.getuid?.() === 0 ? { uid: findId('-u'), gid: findId('-g') } : {};
  const own = (path: string) => owner.uid !== undefined && chownSync(path, owner.uid, owner.gid!);
  own(folder);
  const [data, password] = [join(folder, 'data'), join(folder, 'password')];
  writeFileSync(password, adminPassword);
  own(password);
  const certificates = makeCertificates(folder);
  chmodSync(certificates.server.key, 0o600);
  for (const file of [certificates.server.key, certificates.server.cert, certificates.ca]) own(file);
  const settings = ['-U', 'admin', '-A', 'scram-sha-256', `--pwfile=${password}`, '-E', 'UTF8', '--locale=C'];
  execFileSync(findProgram('initdb'), ['-D', data, '-N', ...settings], {
    ...owner,
    stdio: 'ignore',
    cwd: folder,
  });
  appendFileSync(
    join(data, 'pg_hba.conf'),
    'hostssl all certified 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n',
  );
  // The first line that matches holds: the user with a certificate must come before everybody.
  execFileSync('sed', [
    '-i',
    '/127.0.0.1.32 .*scram-sha-256$/s/all  *all/all admin,limited/',
    join(data, 'pg_hba.conf'),
  ]);
  const port = await findFreePort();
  const given = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: certificates.server.cert,
    ssl_key_file: certificates.server.key,
    ssl_ca_file: certificates.ca,
    allow_system_table_mods: 'on',
  };
  const args = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = await startRealServer(
    findProgram('postgres'),
    ['-D', data, '-p', String(port), ...args],
    port,
    {
      ...owner,
      cwd: folder,
      killSignal: 'SIGQUIT',
    },
  );
  return {
    ...server,
    certificates,
    async [Symbol.asyncDispose]() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A client of the admin. A server that has just started accepts connections before it answers queries. */
export async function connectAdmin({ port }: { readonly port: number }): Promise<Client> {
  const settings = { host: '127.0.0.1', port, database: 'postgres' };
  const client = new Client({ ...settings, user: 'admin', password: adminPassword });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    if ((error as { readonly code?: string }).code !== '57P03') throw error;
    await sleep(20);
    return connectAdmin({ port });
  }
}

/** Debian has the programs of each version in a folder outside the path. */
function findProgram(name: string): string {
  const root = '/usr/lib/postgresql';
  const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return join(root, newest!, 'bin', name);
}

function findId(kind: '-u' | '-g'): number {
  return Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { findFreePort } from '../../../support/free-port.ts';
import { missingTool } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

export const noEtcd = missingTool('etcd');
const gzipMagic = 0x1f8b;

/** Debian's etcd with a folder of its own. It can be stopped and started again with its data. */
export class EtcdServer {
  readonly url: string;
  readonly #folder: string;
  readonly #peerUrl: string;
  readonly #more: readonly string[];
  #process: ChildProcess | undefined;
  #token: string | undefined;

  private constructor(port: number, peerPort: number, folder: string, more: readonly string[]) {
    const scheme = more.includes('--cert-file') ? 'https' : 'http';
    this.url = `${scheme}://127.0.0.1:${port}`;
    this.#peerUrl = `http://127.0.0.1:${peerPort}`;
    this.#folder = folder;
    this.#more = more;
  }

  static async start(
    test: { after(run: () => unknown): void },
    more: readonly string[] = [],
  ): Promise<EtcdServer> {
    // Another process may get one of the ports first.
    for (let attempt = 0; attempt < 5; attempt++) {
      const server = new EtcdServer(await findFreePort(), await findFreePort(), temporaryFolder(test), more);
      test.after(() => server.stop());
      if (await server.#run()) return server;
    }
    throw new Error('etcd ended at each start');
  }

  async begin(): Promise<void> {
    // Another process may have one of the ports for a moment.
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await this.#run()) return;
      if (this.#process === undefined) throw new Error('etcd was stopped while it started');
      await sleep(50);
    }
    throw new Error('etcd ended at each start');
  }

  /** Resolves when etcd answers, to true, or when it has ended, to false. */
  async #run(): Promise<boolean> {
    const server = spawn(
      'etcd',
      [
        ...[
          '--name',
          'test',
          '--data-dir',
          `${this.#folder}/data`,
          '--log-level',
          'error',
          '--unsafe-no-fsync',
        ],
        ...['--listen-client-urls', this.url, '--advertise-client-urls', this.url],
        ...['--listen-peer-urls', this.#peerUrl, '--initial-advertise-peer-urls', this.#peerUrl],
        ...['--initial-cluster', `test=${this.#peerUrl}`, ...this.#more],
      ],
      { stdio: 'ignore' },
    );
    this.#process = server;
    while (server.exitCode === null && server.signalCode === null) {
      if (await this.#answers()) return server.exitCode === null;
      await sleep(50);
    }
    return false;
  }

  /** etcd listens when it is ready; whether it accepts a certificate is the test's own question. */
  async #answers(): Promise<boolean> {
    if (this.url.startsWith('http:'))
      return (
        (await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined))
          ?.ok === true
      );
    const socket = connect(Number(new URL(this.url).port), '127.0.0.1');
    const [isOpen] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'close').then(() => [false]),
    ]).catch(() => [false]);
    socket.destroy();
    return isOpen === true;
  }

  /** As `systemctl stop` does. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** As a fleet did long ago: a member that begins with new data waits for a lease. */
  async writeIdentity(): Promise<void> {
    const [key, value] = ['/waywiser/cluster', `${Date.now()}-test`].map((text) =>
      Buffer.from(text).toString('base64'),
    );
    await this.ask('kv/put', { key, value });
  }

  /** Starts again without any data. */
  async beginAnew(): Promise<void> {
    await this.stop();
    rmSync(`${this.#folder}/data`, { recursive: true });
    await this.begin();
  }

  /** Makes this user ask from now on. */
  async login(name: string, password: string): Promise<void> {
    this.#token = (await this.ask<{ token: string }>('auth/authenticate', { name, password })).token;
  }

  /** Keeps a copy of the data. */
  async backUp(): Promise<void> {
    await this.stop();
    cpSync(`${this.#folder}/data`, `${this.#folder}/backup`, { recursive: true });
    await this.begin();
  }

  /** Starts again with the copy. The cluster of etcd keeps its id. */
  async restore(): Promise<void> {
    await this.stop();
    rmSync(`${this.#folder}/data`, { recursive: true });
    cpSync(`${this.#folder}/backup`, `${this.#folder}/data`, { recursive: true });
    await this.begin();
  }

  /** Asks the JSON gateway. */
  async ask<Answer>(path: string, body: object): Promise<Answer> {
    const headers = this.#token === undefined ? {} : { authorization: this.#token };
    const response = await fetch(`${this.url}/v3/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as Answer;
  }

  /** Every key and value, as text. What is compressed is unpacked. */
  async readAll(): Promise<string> {
    const all = Buffer.from('\0').toString('base64');
    const { kvs = [] } = await this.ask<{ kvs?: { key: string; value?: string }[] }>('kv/range', {
      key: all,
      range_end: all,
    });
    const text = (value = '') => {
      const bytes = Buffer.from(value, 'base64');
      return (bytes.length > 2 && bytes.readUInt16BE(0) === gzipMagic ? gunzipSync(bytes) : bytes).toString(
        'latin1',
      );
    };
    return kvs.map(({ key, value }) => `${text(key)} ${text(value)}`).join('\n');
  }
}

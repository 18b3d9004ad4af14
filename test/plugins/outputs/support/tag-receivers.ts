import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { connectAsync } from 'mqtt';
import { type Batch, BatchDecoder } from '../../../../src/index.ts';
import { findStoredLog } from '../../../../src/storage/segments/stored-log.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { missingTool } from '../../../support/needs.ts';
import { startBulkServer } from '../elasticsearch/bulk-server.ts';
import { readPoints } from '../influx/line-reader.ts';
import { StrictBroker } from '../kafka/strict-broker.ts';
import { readExport } from '../otlp/read-export.ts';
import { connectAdmin, startRealPostgres } from '../postgres/real-postgres.ts';
import { parseExposition } from '../prometheus/exposition-parser.ts';
import { readWriteRequest } from '../prometheus-remote-write/read-write-request.ts';
import { modern } from '../prometheus-remote-write/start-writing.ts';
import { startHttpReceiver } from './http-receiver.ts';
import { startRealServer } from './real-server.ts';

export type ReceivedTags = Readonly<Record<string, unknown>>;

/** What arrived of one row. An output that has one list of both gives it twice; one that writes batches gives no labels. */
export interface ReceivedRow {
  readonly tags: ReceivedTags;
  readonly labels?: ReceivedTags;
}

/** A receiver of one output. `read` is called once, when everything is delivered. */
export interface TagReceiver {
  readonly options: Readonly<Record<string, unknown>>;
  read(): Promise<readonly ReceivedRow[]> | readonly ReceivedRow[];
  close?(): PromiseLike<unknown>;
}

export interface TagOutput {
  /** The reason why the receiver cannot be started. */
  readonly skip?: string | false;
  start(folder: string): Promise<TagReceiver>;
}

const readDocuments = (text: string): ReceivedRow[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const asBoth = (tags: ReceivedTags): ReceivedRow => ({ tags, labels: tags });

/** A receiver of every built-in output, by its name. */
export const tagOutputs: Readonly<Record<string, TagOutput>> = {
  'batch-files': {
    async start(folder) {
      const directory = join(folder, 'batches');
      return {
        options: { directory },
        async read() {
          const decoder = new BatchDecoder();
          const batches: Batch[] = [];
          for await (const { items } of (await findStoredLog(directory, (record) => decoder.decode(record)))!)
            batches.push(...items);
          return batches.map(({ tags }) => ({ tags }));
        },
      };
    },
  },
  elasticsearch: {
    async start() {
      const server = await startBulkServer();
      return {
        options: { url: server.url },
        read: () => [...server.documents.values()].flatMap(({ text }) => readDocuments(text)),
        close: () => server[Symbol.asyncDispose](),
      };
    },
  },
  http: {
    async start() {
      const receiver = await startHttpReceiver(() => 200);
      return {
        options: { url: receiver.url, format: 'ndjson' },
        read: () => receiver.requests.flatMap(({ body }) => readDocuments(body.toString())),
        close: () => receiver[Symbol.asyncDispose](),
      };
    },
  },
  influx: {
    async start() {
      const receiver = await startHttpReceiver(() => 204);
      return {
        options: { url: receiver.url, database: 'snmp' },
        read: () =>
          receiver.requests.flatMap(({ body }) =>
            readPoints(body.toString()).map(({ tags }) => asBoth(tags)),
          ),
        close: () => receiver[Symbol.asyncDispose](),
      };
    },
  },
  kafka: {
    async start() {
      const broker = await new StrictBroker().start();
      return {
        options: { brokers: [`127.0.0.1:${broker.port}`], topic: broker.topic },
        read: () => broker.stored.flat().flatMap(({ value }) => readDocuments(value.toString())),
        close: () => broker.stop(),
      };
    },
  },
  mqtt: {
    skip: missingTool('mosquitto'),
    async start(folder) {
      const port = await findFreePort();
      const file = join(folder, 'mosquitto.conf');
      writeFileSync(file, `user root\nallow_anonymous true\nlistener ${port} 127.0.0.1\n`);
      const server = await startRealServer('mosquitto', ['-c', file], port);
      const url = `mqtt://127.0.0.1:${port}`;
      const client = await connectAsync(url, { reconnectPeriod: 0 });
      const texts: string[] = [];
      client.on('message', (_, payload) => void texts.push(payload.toString()));
      await client.subscribeAsync('#', { qos: 1 });
      return {
        options: { url, qos: 1 },
        async read() {
          // The messages of a client arrive in order: when the last one has come, all have.
          const last = new Promise((resolve) =>
            client.on('message', (topic) => topic === 'end' && resolve(topic)),
          );
          await client.publishAsync('end', '{}', { qos: 1 });
          await last;
          return texts.slice(0, -1).flatMap(readDocuments);
        },
        async close() {
          await client.endAsync(true);
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
  nats: {
    skip: missingTool('nats-server'),
    async start() {
      const port = await findFreePort();
      const server = await startRealServer('nats-server', ['-a', '127.0.0.1', '-p', String(port)], port);
      const client = await connect({ servers: `127.0.0.1:${port}` });
      const texts: string[] = [];
      client.subscribe('waywiser.>', { callback: (_, message) => void texts.push(message.string()) });
      await client.flush();
      return {
        options: { servers: [`nats://127.0.0.1:${port}`] },
        async read() {
          await client.flush();
          return texts.flatMap(readDocuments);
        },
        async close() {
          await client.close();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
  ndjson: {
    async start(folder) {
      const file = join(folder, 'rows.ndjson');
      return { options: { file }, read: () => readDocuments(readFileSync(file, 'utf8')) };
    },
  },
  otlp: {
    async start() {
      const receiver = await startHttpReceiver(() => 200);
      return {
        options: { url: receiver.url },
        read: () =>
          receiver.requests
            .flatMap(readExport)
            .map(({ resource, attributes }) => ({ tags: resource, labels: attributes })),
        close: () => receiver[Symbol.asyncDispose](),
      };
    },
  },
  postgres: {
    skip: missingTool('pg_ctlcluster') || missingTool('openssl'),
    async start() {
      const server = await startRealPostgres();
      const client = await connectAdmin(server);
      return {
        options: { port: server.port, database: 'postgres', username: 'admin', password: '${env:PASSWORD}' },
        read: async () =>
          (await client.query('SELECT * FROM if_mib_if_entry')).rows.map(({ tags, ...labels }) => ({
            tags,
            labels,
          })),
        async close() {
          await client.end();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
  prometheus: {
    async start() {
      const port = await findFreePort();
      return {
        options: { port },
        async read() {
          const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
          const families = [...parseExposition(text, false).values()];
          return families.flatMap(({ samples }) => samples.map(({ labels }) => asBoth(labels)));
        },
      };
    },
  },
  'prometheus-remote-write': {
    async start() {
      const receiver = await startHttpReceiver(() => modern);
      return {
        options: { url: receiver.url, protocol: '2.0' },
        read: () => receiver.requests.flatMap(readWriteRequest).map(({ labels }) => asBoth(labels)),
        close: () => receiver[Symbol.asyncDispose](),
      };
    },
  },
};

/** The names of the folders of all built-in outputs. */
export const builtInOutputs = readdirSync('plugins/outputs').sort();

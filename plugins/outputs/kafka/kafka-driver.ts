import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseOptions, Connection, Producer } from '@platformatic/kafka';
import { type ConnectionDriver, importOptional, type Logger, readTlsFiles } from '../../../src/index.ts';
import { nameFailure } from './name-failure.ts';
import type { KafkaOptions } from './options.ts';

/** The package, as it is imported. */
export type LoadKafka = () => Promise<Pick<typeof import('@platformatic/kafka'), 'Producer'>>;

const answerMs = 15_000;
const goodbyeMs = 200;

export interface OpenKafka {
  readonly producer: Producer;
  readonly sockets: ReadonlySet<Socket>;
}

/** Throws when the package is missing or a TLS file cannot be read. */
export async function createKafkaDriver(
  options: KafkaOptions,
  { load, log, clientName }: { readonly load: LoadKafka; readonly log: Logger; readonly clientName: string },
): Promise<ConnectionDriver<OpenKafka>> {
  const { Producer } = await importOptional('@platformatic/kafka@1', load);
  const { brokers, topic, mechanism, username, password, tls } = options;
  const server = `Kafka at ${brokers.join(', ')}`;
  const settings: BaseOptions = {
    clientId: clientName.replace(/[^a-zA-Z0-9._-]/g, '-'),
    bootstrapBrokers: [...brokers],
    // Attempts are the delivery's, and one request at a time keeps the order.
    retries: 0,
    maxInflights: 1,
    timeout: answerMs,
    connectTimeout: answerMs,
    autocreateTopics: false,
    ...(tls === undefined ? {} : { tls: readTlsFiles(tls) }),
    ...(username === undefined ? {} : { sasl: { mechanism, username, password: password?.reveal() ?? '' } }),
  };
  return {
    async open() {
      const producer = new Producer(settings);
      const sockets = new Set<Socket>();
      producer.on('client:broker:connect', ({ connection }: { readonly connection: Connection }) => {
        sockets.add(connection.socket.once('close', () => sockets.delete(connection.socket)));
      });
      try {
        await producer.initIdempotentProducer({ idempotent: true });
        log.info({ server, topic, tls: tls !== undefined }, `Connected to ${server}.`);
        return { producer, sockets };
      } catch (error) {
        await close({ producer, sockets });
        throw nameFailure(server, topic, error);
      }
    },
    close,
  };
}

/** The package waits until the brokers have closed too; one that hangs must not hold up anybody. */
async function close({ producer, sockets }: OpenKafka): Promise<void> {
  const goodbye = producer.close().catch(() => {});
  await Promise.race([goodbye, sleep(goodbyeMs, undefined, { ref: false })]);
  for (const socket of sockets) socket.destroy();
}

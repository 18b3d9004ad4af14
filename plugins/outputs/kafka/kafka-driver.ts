import type { BaseOptions, Connection, ConnectionPool, Producer } from '@platformatic/kafka';
import type { Logger } from '../../../src/index.ts';
import { type ConnectionDriver, importOptional, readTlsFiles } from '../../../src/output-kit/index.ts';
import { nameFailure } from './name-failure.ts';
import type { KafkaOptions } from './options.ts';

/** The package, as it is imported. */
type KafkaPackage = Pick<typeof import('@platformatic/kafka'), 'Producer' | 'instancesChannel'>;
export type LoadKafka = () => Promise<KafkaPackage>;

const answerMs = 15_000;

export interface OpenKafka {
  readonly producer: Producer;
  readonly connections: ReadonlySet<Connection>;
}

/** Throws when the package is missing or a TLS file cannot be used. */
export async function createKafkaDriver(
  options: KafkaOptions,
  { load, log, clientName }: { readonly load: LoadKafka; readonly log: Logger; readonly clientName: string },
): Promise<ConnectionDriver<OpenKafka>> {
  const kafka = await importOptional('@platformatic/kafka@1', load);
  const { brokers, topic, mechanism, username, password, tls } = options;
  const server = `Kafka at ${brokers.join(', ')}`;
  const settings: BaseOptions = {
    clientId: clientName.replace(/[^a-zA-Z0-9._-]/g, '-'),
    bootstrapBrokers: [...brokers],
    // Only the delivery retries, and one request at a time keeps the order.
    retries: 0,
    maxInflights: 1,
    timeout: answerMs,
    connectTimeout: answerMs,
    autocreateTopics: false,
  };
  const login = () =>
    username === undefined ? {} : { sasl: { mechanism, username, password: password?.reveal() ?? '' } };
  const readTls = () => (tls === undefined ? {} : { tls: readTlsFiles(tls, server) });
  readTls();
  return {
    async open(signal) {
      const opened = createProducer(kafka, { ...settings, ...login(), ...readTls() });
      const giveUp = () => destroy(opened);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        await opened.producer.initIdempotentProducer({ idempotent: true });
        log.info({ server, topic, tls: tls !== undefined }, `Connected to ${server}.`);
        return opened;
      } catch (error) {
        destroy(opened);
        throw nameFailure(server, topic, error, { handshake: tls !== undefined });
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    close: ({ producer }) => producer.close(),
    destroy,
  };
}

/** The producer reports its connection pool only on this channel, and the pool reports connections before they are made. */
function createProducer({ Producer, instancesChannel }: KafkaPackage, settings: BaseOptions): OpenKafka {
  const connections = new Set<Connection>();
  const watch = (message: unknown) => {
    const { type, instance } = message as { readonly type: string; readonly instance: ConnectionPool };
    if (type !== 'connection-pool') return;
    instance.on('connecting', ({ connection }: { readonly connection: Connection }) => {
      connections.add(connection);
      connection.once('close', () => connections.delete(connection));
    });
  };
  instancesChannel.subscribe(watch);
  try {
    return { producer: new Producer(settings), connections };
  } finally {
    instancesChannel.unsubscribe(watch);
  }
}

function destroy({ producer, connections }: OpenKafka): void {
  producer.close().catch(() => {});
  for (const { socket } of connections) socket?.destroy();
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseOptions, Producer } from '@platformatic/kafka';
import { type ConnectionDriver, importOptional, type Logger, readTlsFiles } from '../../../src/index.ts';
import { nameFailure } from './name-failure.ts';
import type { KafkaOptions } from './options.ts';

/** The package, as it is imported. */
export type LoadKafka = () => Promise<Pick<typeof import('@platformatic/kafka'), 'Producer'>>;

const answerMs = 15_000;
const closeMs = 500;

/** Throws when the package is missing or a TLS file cannot be read. */
export async function createKafkaDriver(
  options: KafkaOptions,
  { load, log, clientName }: { readonly load: LoadKafka; readonly log: Logger; readonly clientName: string },
): Promise<ConnectionDriver<Producer>> {
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
      try {
        await producer.initIdempotentProducer({ idempotent: true });
        log.info({ server, topic, tls: tls !== undefined }, `Connected to ${server}.`);
        return producer;
      } catch (error) {
        await close(producer);
        throw nameFailure(server, topic, error);
      }
    },
    close,
  };
}

/** The library waits until the broker has closed too; one that hangs must not hold up anybody. */
async function close(producer: Producer): Promise<void> {
  await Promise.race([producer.close().catch(() => {}), sleep(closeMs, undefined, { ref: false })]);
}

import { type Batch, defineOutput, PermanentError, type Plugin } from '../../../src/index.ts';
import { cutMessages, KeptConnection, LineRenderer } from '../../../src/output-kit/index.ts';
import { createKafkaDriver, type LoadKafka } from './kafka-driver.ts';
import { isPermanent, nameFailure } from './name-failure.ts';
import { kafkaOptions } from './options.ts';
import { produce } from './produce.ts';

/** Space for the key and the frame of a record within `max_message_bytes`. */
const frameBytes = 500;

export function createKafkaOutput(load: LoadKafka): Plugin {
  return defineOutput({
    name: 'kafka',
    summary: 'Produces rows as JSON messages to a Kafka topic, in order per device.',
    rates: true,
    events: true,
    options: kafkaOptions,
    opensLater: true,
    async open({ name, options, log, collector }) {
      const clientName = `waywiser-${collector.instance}-${name}`;
      const kept = new KeptConnection(await createKafkaDriver(options, { load, log, clientName }));
      const renderer = new LineRenderer(options);
      const server = `Kafka at ${options.brokers.join(', ')}`;
      const cut = (batches: readonly Batch[]) =>
        cutMessages(batches, renderer, {
          unit: options.message,
          maxBytes: options.max_message_bytes - frameBytes,
        });

      /** After any failure the producer is closed, because its sequence numbers may be wrong. */
      const send = (messages: ReturnType<typeof cut>['messages'], signal: AbortSignal) =>
        kept.use(signal, ({ producer }) => produce(messages, producer, options));

      return {
        async write(batches, { signal }) {
          const { messages, tooLarge } = cut(batches);
          const refused = [...tooLarge];
          let cause: unknown =
            tooLarge.length > 0 ? new Error('A document is larger than max_message_bytes.') : undefined;
          try {
            await send(messages, signal);
          } catch (error) {
            if (!isPermanent(error)) throw nameFailure(server, options.topic, error);
            cause = error;
            for (const batch of batches.filter((each) => !tooLarge.includes(each))) {
              await send(cut([batch]).messages, signal).catch((why: unknown) => {
                if (!isPermanent(why)) throw nameFailure(server, options.topic, why);
                refused.push(batch);
              });
            }
          }
          if (refused.length > 0) throw new PermanentError('Kafka refused messages.', { refused, cause });
        },
        close: () => kept.close(),
      };
    },
  });
}

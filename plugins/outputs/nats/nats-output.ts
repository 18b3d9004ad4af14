import { defineOutput, type Plugin } from '../../../src/index.ts';
import { compileAddress, cutMessages, KeptConnection, LineRenderer } from '../../../src/output-kit/index.ts';
import { createNatsDriver, type LoadNats } from './nats-driver.ts';
import { natsOptions } from './options.ts';
import { headerBytes, publish } from './publish.ts';

/** Characters with a meaning in a subject. */
const reserved = '.*>';

export function createNatsOutput(load: LoadNats): Plugin {
  return defineOutput({
    name: 'nats',
    summary:
      'Publishes rows as JSON messages to NATS, or to a JetStream stream, which drops repeated messages.',
    rates: true,
    events: true,
    options: natsOptions,
    opensLater: true,
    async open({ name, options, log, collector }) {
      const subjectOf = compileAddress(options.subject, { option: 'subject', reserved });
      const clientName = `waywiser ${collector.instance} ${name}`;
      const driver = await createNatsDriver(options, { clientName, load, log });
      const kept = new KeptConnection(driver);
      const renderer = new LineRenderer(options);
      return {
        write: (batches, { signal }) =>
          kept.use(signal, async (open) => {
            const maxBytes = (open.connection.info?.max_payload ?? 1_048_576) - headerBytes;
            const cut = cutMessages(batches, renderer, { unit: options.message, maxBytes });
            await publish(cut, subjectOf, open, options);
          }),
        close: () => kept.close(),
      };
    },
  });
}

import { defineOutput, PermanentError, type Plugin } from '../../../src/index.ts';
import { compileAddress, cutMessages, KeptConnection, LineRenderer } from '../../../src/output-kit/index.ts';
import { createMqttDriver, type LoadMqtt } from './mqtt-driver.ts';
import { mqttOptions } from './options.ts';
import { type GroupState, headerBytes, publish } from './publish.ts';

/** Characters with a meaning in a topic. */
const reserved = '+#/';

export function createMqttOutput(load: LoadMqtt): Plugin {
  return defineOutput({
    name: 'mqtt',
    summary: 'Publishes rows as JSON messages to an MQTT broker.',
    rates: true,
    events: true,
    options: mqttOptions,
    opensLater: true,
    async open({ options, log }) {
      const topicOf = compileAddress(options.topic, { option: 'topic', reserved });
      const kept = new KeptConnection(await createMqttDriver(options, { load, log }));
      const renderer = new LineRenderer(options);
      let state = createState();
      return {
        async write(batches, { signal }) {
          try {
            await kept.use(signal, async (open) => {
              const maxBytes = Math.min(options.max_message_bytes, open.limits.packetBytes - headerBytes);
              const cut = cutMessages(batches, renderer, { unit: options.message, maxBytes });
              await publish(cut, topicOf, options, open, state);
            });
            state = createState();
          } catch (error) {
            if (error instanceof PermanentError) state = createState();
            else state.hasFailed = true;
            throw error;
          }
        },
        close: () => kept.close(),
      };
    },
  });
}

function createState(): GroupState {
  return { refusals: new Map(), hasFailed: false };
}

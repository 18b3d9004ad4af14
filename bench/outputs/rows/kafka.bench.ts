import { Producer } from '@platformatic/kafka';
import { buildCode } from '../../support/built-code.ts';
import { compareOutput, measureYardstick } from './compare-output.ts';
import { startCounterpart } from './counterpart.ts';

/** The cost per row with a broker: the strict one of the tests, because Debian has no Kafka. */
buildCode();
using broker = await startCounterpart('kafka-process.ts');
const brokers = [`127.0.0.1:${broker.port}`];
const producer = new Producer({ clientId: 'waywiser-yardstick', bootstrapBrokers: brokers });
try {
  for (const compression of ['none', 'gzip'] as const) {
    const bare = await measureYardstick(
      'JSON.stringify and send of @platformatic/kafka, 1000 at a time',
      async (records) => {
        for (let from = 0; from < records.length; from += 1_000) {
          const messages = records.slice(from, from + 1_000).map((record) => ({
            topic: 'snmp',
            key: Buffer.from(record.device.name),
            value: Buffer.from(JSON.stringify(record)),
          }));
          await producer.send({ messages, idempotent: true, acks: -1, compression });
        }
      },
    );
    const options = { brokers, topic: 'snmp', compression };
    await compareOutput(
      `kafka, one message per row, compression ${compression}`,
      { plugin: 'kafka', options },
      bare,
    );
  }
} finally {
  await producer.close();
}

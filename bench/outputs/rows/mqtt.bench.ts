import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { startRealServer } from '../../../test/plugins/outputs/support/real-server.ts';
import { findFreePort } from '../../../test/support/free-port.ts';
import { buildCode } from '../../support/built-code.ts';
import { makeWorkshop } from '../../support/processes.ts';
import { compareOutput, measureYardstick } from './compare-output.ts';

/** The cost per row with mosquitto. */
buildCode();
const workshop = makeWorkshop();
const port = await findFreePort();
const configuration = join(workshop.folder, 'mosquitto.conf');
writeFileSync(configuration, `user root\nallow_anonymous true\nlistener ${port} 127.0.0.1\n`);
await using _broker = await startRealServer('mosquitto', ['-c', configuration], port);
const url = `mqtt://127.0.0.1:${port}`;
const client = await connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0 });
const inFlight = 20;
try {
  for (const qos of [0, 1] as const) {
    const bare = await measureYardstick(
      `JSON.stringify and publishAsync of mqtt, ${inFlight} at a time`,
      async (records) => {
        for (let from = 0; from < records.length; from += inFlight) {
          const publications = records.slice(from, from + inFlight).map((record) => {
            const topic = `bare/${record.device.name}/${record.key}`;
            return client.publishAsync(topic, JSON.stringify(record), { qos });
          });
          await Promise.all(publications);
        }
      },
    );
    await compareOutput(
      `mqtt, one message per row, QoS ${qos}`,
      { plugin: 'mqtt', options: { url, qos } },
      bare,
    );
  }
} finally {
  await client.endAsync(true);
  workshop.remove();
}

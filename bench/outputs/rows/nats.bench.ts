import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startRealServer } from '../../../test/plugins/outputs/support/real-server.ts';
import { findFreePort } from '../../../test/support/free-port.ts';
import { buildCode } from '../../support/built-code.ts';
import { makeWorkshop } from '../../support/processes.ts';
import { compareOutput, measureYardstick } from './compare-output.ts';

/** The cost per row with nats-server, and with a stream that stores it. */
buildCode();
const workshop = makeWorkshop();
const port = await findFreePort();
const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(workshop.folder, 'store')];
await using _server = await startRealServer('nats-server', args, port);
const connection = await connect({ servers: `127.0.0.1:${port}` });
const servers = [`nats://127.0.0.1:${port}`];
const inFlight = 500;
try {
  const bare = await measureYardstick('JSON.stringify and publish of @nats-io/transport-node', (records) => {
    for (const record of records) {
      connection.publish(`bare.${record.device.name}`, JSON.stringify(record));
    }
    return connection.flush();
  });
  await compareOutput('nats, one message per row', { plugin: 'nats', options: { servers } }, bare);

  const manager = await jetstreamManager(connection);
  const limits = { max_msgs: 10_000, storage: 'memory' } as const;
  await manager.streams.add({ name: 'rows', subjects: ['waywiser.>', 'bare.>'], ...limits });
  const stream = jetstream(connection);
  const stored = await measureYardstick(
    `JSON.stringify and publish of @nats-io/jetstream, ${inFlight} at a time`,
    async (records, round) => {
      for (let from = 0; from < records.length; from += inFlight) {
        const publications = records.slice(from, from + inFlight).map((record, i) => {
          const msgID = `${round} ${from + i}`;
          return stream.publish(`bare.${record.device.name}`, JSON.stringify(record), { msgID });
        });
        await Promise.all(publications);
      }
    },
  );
  const options = { servers, jetstream: true };
  await compareOutput('nats, one message per row, stored by JetStream', { plugin: 'nats', options }, stored);
} finally {
  await connection.close();
  workshop.remove();
}

import { defineOutput, type Plugin } from '../../../src/index.ts';
import { KeptConnection } from '../../../src/output-kit/index.ts';
import { postgresOptions } from './options.ts';
import { createPostgresDriver, type LoadPostgres } from './postgres-driver.ts';
import { writeGroup } from './write-group.ts';

export function createPostgresOutput(load: LoadPostgres): Plugin {
  return defineOutput({
    name: 'postgres',
    summary: 'Writes rows to PostgreSQL or Timescale, one wide table per object, and drops repeated rows.',
    rates: true,
    events: true,
    options: postgresOptions,
    opensLater: true,
    async open({ name, options, log, collector }) {
      const clientName = `waywiser ${collector.instance} ${name}`;
      const kept = new KeptConnection(await createPostgresDriver(options, { load, log, clientName }));
      return {
        write: (batches, { signal }) => kept.use(signal, (open) => writeGroup(batches, open, options.schema)),
        close: () => kept.close(),
      };
    },
  });
}

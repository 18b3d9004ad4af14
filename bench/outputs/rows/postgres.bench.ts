import {
  adminPassword,
  connectAdmin,
  startRealPostgres,
} from '../../../test/plugins/outputs/postgres/real-postgres.ts';
import { buildCode } from '../../support/built-code.ts';
import { compareOutput, measureYardstick, type PlainRecord } from './compare-output.ts';

/** The cost per row with PostgreSQL, without the cost of the server. */
buildCode();
await using server = await startRealPostgres();
const login = { host: '127.0.0.1', port: server.port, database: 'postgres' };
const client = await connectAdmin(server);
const rowsAStatement = 500;

const cellsOf = ({ device, key, slot, values }: PlainRecord, round: number) => [
  device.name,
  key,
  slot,
  round,
  ...Object.values(values),
];

try {
  const bare = await measureYardstick(
    `INSERT of pg, ${rowsAStatement} rows a statement, a parameter a value`,
    async (records, round) => {
      const { values } = records[0]!;
      const types = ['text', 'text', 'timestamptz', 'integer', ...Object.values(values).map(typeOf)];
      const columns = types.map((type, i) => `c${i} ${type}`);
      await client.query(`CREATE TABLE IF NOT EXISTS bare (${columns.join()}, PRIMARY KEY (c0, c1, c3))`);
      for (let from = 0; from < records.length; from += rowsAStatement) {
        const part = records.slice(from, from + rowsAStatement);
        const places = part.map((_, i) => `(${types.map((_, j) => `$${i * types.length + j + 1}`)})`);
        const parameters = part.flatMap((record) => cellsOf(record, round));
        await client.query(`INSERT INTO bare VALUES ${places} ON CONFLICT DO NOTHING`, parameters);
      }
    },
  );
  const options = { ...login, username: 'admin', password: '${env:PASSWORD}' };
  const env = { PASSWORD: adminPassword };
  await compareOutput('postgres, one row per row', { plugin: 'postgres', options, env }, bare);
} finally {
  await client.end();
}

function typeOf(value: unknown): string {
  return typeof value === 'string' ? 'text' : 'numeric';
}

import { type Batch, PermanentError } from '../../../src/index.ts';
import { connectionFailure } from '../../../src/output-kit/index.ts';
import { inTransaction } from './in-transaction.ts';
import type { OpenPostgres } from './postgres-driver.ts';
import { insertRows } from './rows/insert-rows.ts';
import { collectRows, type TableRows } from './rows/table-rows.ts';
import { isPermanent, sqlState } from './sql-state.ts';
import type { KnownTable } from './tables/table-catalog.ts';

const maxRowsPerStatement = 5_000;
const forbidden = '42501';

/**
 * Writes a group in one transaction. If the server refuses a value for good, each batch is written separately, and a PermanentError names
 * those that are not written.
 */
export async function writeGroup(
  batches: readonly Batch[],
  open: OpenPostgres,
  schema: string,
): Promise<void> {
  try {
    await writeTogether(batches, open, schema);
  } catch (error) {
    if (!isPermanent(error)) throw nameFailure(error, schema);
    const refused: Batch[] = [];
    for (const batch of batches.length === 1 ? [] : batches) {
      await writeTogether([batch], open, schema).catch((why: unknown) => {
        if (!isPermanent(why)) throw nameFailure(why, schema);
        refused.push(batch);
      });
    }
    const settled = batches.length === 1 ? batches : refused;
    if (settled.length > 0)
      throw new PermanentError('PostgreSQL refused rows.', { refused: settled, cause: error });
  }
}

async function writeTogether(
  batches: readonly Batch[],
  { client, tables }: OpenPostgres,
  schema: string,
): Promise<void> {
  const parts = cutByRecord(batches).map(([record, part]) => ({ record, rows: collectRows(part) }));
  const prepared: { readonly table: KnownTable; readonly rows: TableRows }[] = [];
  for (const { record, rows } of parts) {
    const wanted = rows.fields.map(({ column }) => column);
    prepared.push({ table: await tables.prepare(record, wanted), rows });
  }
  await inTransaction(client, async () => {
    for (const { table, rows } of prepared) await insertRows(client, schema, table, rows);
  });
}

/** Groups the batches by record, with a limited number of rows per statement. */
function cutByRecord(batches: readonly Batch[]): [string, Batch[]][] {
  const parts: [string, Batch[]][] = [];
  const open = new Map<string, { readonly part: Batch[]; rows: number }>();
  for (const batch of batches) {
    let current = open.get(batch.record);
    if (current === undefined || current.rows + batch.rows.count > maxRowsPerStatement) {
      current = { part: [], rows: 0 };
      open.set(batch.record, current);
      parts.push([batch.record, current.part]);
    }
    current.part.push(batch);
    current.rows += batch.rows.count;
  }
  return parts;
}

function nameFailure(error: unknown, schema: string): unknown {
  if (sqlState(error) !== forbidden) return error;
  return connectionFailure('SERVER_FORBIDS', { server: 'PostgreSQL', place: `schema ${schema}` }, error);
}

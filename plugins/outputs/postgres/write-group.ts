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
 * Writes a group in one transaction. If the server refuses a value for good, each batch is written separately. A PermanentError names the
 * batches that are not written: those with such a value, and those of a former owner of their devices.
 */
export async function writeGroup(
  batches: readonly Batch[],
  open: OpenPostgres,
  schema: string,
): Promise<void> {
  const fenced: Batch[] = [];
  const refused: Batch[] = [];
  let cause: unknown;
  try {
    fenced.push(...(await writeTogether(batches, open, schema)));
  } catch (error) {
    if (!isPermanent(error)) throw nameFailure(error, schema);
    cause = error;
    if (batches.length === 1) refused.push(...batches);
    else {
      for (const batch of batches) {
        try {
          fenced.push(...(await writeTogether([batch], open, schema)));
        } catch (why) {
          if (!isPermanent(why)) throw nameFailure(why, schema);
          refused.push(batch);
        }
      }
    }
  }
  if (refused.length + fenced.length > 0)
    throw new PermanentError('PostgreSQL refused rows.', { refused, fenced, cause });
}

/** Returns the batches of former owners, which are not written. */
async function writeTogether(
  batches: readonly Batch[],
  { client, tables, owners }: OpenPostgres,
  schema: string,
): Promise<readonly Batch[]> {
  const parts = collectParts(batches);
  const tableOf = new Map<string, KnownTable>();
  for (const { record, rows } of parts) {
    const wanted = rows.fields.map(({ column }) => column);
    tableOf.set(record, await tables.prepare(record, wanted));
  }
  await owners.prepare(batches);
  return inTransaction(client, async () => {
    const fenced = await owners.findFenced(batches);
    const kept =
      fenced.length === 0 ? parts : collectParts(batches.filter((batch) => !fenced.includes(batch)));
    for (const { record, rows } of kept) await insertRows(client, schema, tableOf.get(record)!, rows);
    return fenced;
  });
}

function collectParts(batches: readonly Batch[]): { readonly record: string; readonly rows: TableRows }[] {
  return cutByRecord(batches).map(([record, part]) => ({ record, rows: collectRows(part) }));
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

import type { Client } from 'pg';
import { cleanText } from '../tables/clean-text.ts';
import { commentOf } from '../tables/field-column.ts';
import type { KnownTable } from '../tables/table-catalog.ts';
import type { TableRows } from './table-rows.ts';

/**
 * Writes rows with one statement and one parameter per column, so that no value is ever part of the SQL. A row whose key exists already is
 * not changed.
 */
export async function insertRows(
  client: Client,
  schema: string,
  table: KnownTable,
  { fixed, fields }: TableRows,
): Promise<void> {
  const columns = [
    ...Object.entries(fixed).map(([name, cells]) => ({ name, cells })),
    ...fields.map(({ column, cells }) => ({
      name: table.byComment.get(cleanText(commentOf(column)))!,
      cells,
    })),
  ];
  const path = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table.name)}`;
  const names = columns.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  const parameters = columns.map(({ cells }, i) => `$${i + 1}::${cells.type}[]`).join(', ');
  await client.query(
    `INSERT INTO ${path} (${names}) SELECT * FROM unnest(${parameters}) ON CONFLICT DO NOTHING`,
    columns.map(({ cells }) => cells.finish()),
  );
}

import type { Client } from 'pg';
import { cleanText } from '../rows/clean-text.ts';
import { columnTypes, commentOf } from '../tables/field-column.ts';
import { fixedColumns } from '../tables/fixed-columns.ts';
import type { KnownTable } from '../tables/table-catalog.ts';
import type { TableRows } from './table-rows.ts';

/**
 * Writes rows with one statement: one parameter for each column, so that no value is ever part of the SQL. A row whose key is
 * there already is left as it is.
 */
export async function insertRows(
  client: Client,
  schema: string,
  table: KnownTable,
  { fixed, fields }: TableRows,
): Promise<void> {
  const columns = [
    ...Object.entries(fixedColumns).map(([name, type]) => ({
      name,
      type: type.replace(' NOT NULL', ''),
      cells: fixed[name as keyof typeof fixedColumns],
    })),
    ...fields.map(({ column, cells }) => ({
      name: table.byComment.get(cleanText(commentOf(column)))!,
      type: columnTypes[column.kind],
      cells,
    })),
  ];
  const path = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table.name)}`;
  const names = columns.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  const parameters = columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ');
  await client.query(
    `INSERT INTO ${path} (${names}) SELECT * FROM unnest(${parameters}) ON CONFLICT DO NOTHING`,
    columns.map(({ cells }) => cells),
  );
}

import type { Client } from 'pg';

/** A table that this output created, as it is in the database. */
export interface KnownTable {
  readonly name: string;
  /** Column names by comment. The comment says what a column contains. */
  readonly byComment: ReadonlyMap<string, string>;
  readonly columns: ReadonlySet<string>;
}

/** All tables of a schema, and which records are in which. */
export interface TableCatalog {
  readonly names: ReadonlySet<string>;
  readonly byRecord: ReadonlyMap<string, KnownTable>;
}

export const recordPrefix = 'waywiser record ';

const query = `
  SELECT c.relname AS name, obj_description(c.oid, 'pg_class') AS comment,
         a.attname AS column, col_description(c.oid, a.attnum) AS holds
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND c.relkind IN ('r', 'p')
  WHERE n.nspname = $1`;

interface CatalogRow {
  readonly name: string;
  readonly comment: string | null;
  readonly column: string | null;
  readonly holds: string | null;
}

/** Comments in the database say what tables and columns contain, so no other place must know it. */
export async function readCatalog(client: Client, schema: string): Promise<TableCatalog> {
  const { rows } = await client.query<CatalogRow>(query, [schema]);
  const names = new Set<string>();
  const byRecord = new Map<string, { name: string; byComment: Map<string, string>; columns: Set<string> }>();
  for (const { name, comment, column, holds } of rows) {
    names.add(name);
    if (column === null || !comment?.startsWith(recordPrefix)) continue;
    const record = comment.slice(recordPrefix.length);
    const table = byRecord.get(record) ?? { name, byComment: new Map(), columns: new Set() };
    byRecord.set(record, table);
    table.columns.add(column);
    if (holds !== null) table.byComment.set(holds, column);
  }
  return { names, byRecord };
}

import type { Client } from 'pg';
import type { Logger } from '../../../../src/index.ts';
import { inTransaction } from '../in-transaction.ts';
import { cleanText } from './clean-text.ts';
import { chooseName, columnTypes, commentOf, type FieldColumn } from './field-column.ts';
import { fixedColumns, keyColumns } from './fixed-columns.ts';
import { type KnownTable, readCatalog, recordPrefix, type TableCatalog } from './table-catalog.ts';

/** Finds the table of a record, and creates the table and its columns where they are missing. One per connection. */
export class TableMigrator {
  readonly #client: Client;
  readonly #schema: string;
  readonly #log: Logger;
  #catalog: TableCatalog | undefined;

  constructor(client: Client, { schema, log }: { readonly schema: string; readonly log: Logger }) {
    this.#client = client;
    this.#schema = schema;
    this.#log = log;
  }

  /** Returns the table with all wanted columns. Do not call it in a transaction. */
  async prepare(record: string, wanted: readonly FieldColumn[]): Promise<KnownTable> {
    const name = cleanText(record);
    this.#catalog ??= await readCatalog(this.#client, this.#schema);
    const table = this.#catalog.byRecord.get(name);
    if (table !== undefined && listMissing(table, wanted).length === 0) return table;
    this.#catalog = await inTransaction(this.#client, () => this.#extend(name, wanted));
    return this.#catalog.byRecord.get(name)!;
  }

  /** Another collector may do the same now. A lock makes them run one after the other, and each reads the catalog again first. */
  async #extend(record: string, wanted: readonly FieldColumn[]): Promise<TableCatalog> {
    await this.#client.query(`SELECT pg_advisory_xact_lock(hashtext('waywiser tables'))`);
    let catalog = await readCatalog(this.#client, this.#schema);
    if (!catalog.byRecord.has(record)) {
      await this.#createTable(record, catalog);
      catalog = await readCatalog(this.#client, this.#schema);
    }
    const table = catalog.byRecord.get(record)!;
    await this.#addColumns(table, listMissing(table, wanted));
    return readCatalog(this.#client, this.#schema);
  }

  async #createTable(record: string, catalog: TableCatalog): Promise<void> {
    const name = chooseName(record, 'record', (each) => catalog.names.has(each));
    const path = this.#pathOf(name);
    const { rowCount } = await this.#client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [
      this.#schema,
    ]);
    if (rowCount === 0)
      await this.#client.query(`CREATE SCHEMA ${this.#client.escapeIdentifier(this.#schema)}`);
    const columns = Object.entries(fixedColumns).map(([column, type]) => `${column} ${type}`);
    await this.#client.query(
      `CREATE TABLE ${path} (${columns.join(', ')}, PRIMARY KEY (${keyColumns.join(', ')}))`,
    );
    const comment = this.#client.escapeLiteral(recordPrefix + record);
    await this.#client.query(`COMMENT ON TABLE ${path} IS ${comment}`);
    const isPartitioned = await this.#makeHypertable(path);
    if (!isPartitioned) await this.#client.query(`CREATE INDEX ON ${path} USING brin (slot)`);
    this.#log.info({ table: name, record, hypertable: isPartitioned }, 'Created a table.');
  }

  /** Returns false without Timescale. Its functions may be in a schema outside the search path. */
  async #makeHypertable(path: string): Promise<boolean> {
    const { rows } = await this.#client.query<{ readonly schema: string }>(
      `SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
       WHERE e.extname = 'timescaledb'`,
    );
    if (rows[0] === undefined) return false;
    const make = `${this.#client.escapeIdentifier(rows[0].schema)}.create_hypertable`;
    await this.#client.query(`SELECT ${make}($1::regclass, 'slot'::name)`, [path]);
    return true;
  }

  async #addColumns(table: KnownTable, missing: readonly FieldColumn[]): Promise<void> {
    if (missing.length === 0) return;
    const path = this.#pathOf(table.name);
    const taken = new Set(table.columns);
    const added = missing.map((column) => {
      const name = chooseName(column.field, column.kind, (each) => taken.has(each));
      taken.add(name);
      return { name: this.#client.escapeIdentifier(name), column };
    });
    const clauses = added.map(({ name, column }) => `ADD COLUMN ${name} ${columnTypes[column.kind]}`);
    await this.#client.query(`ALTER TABLE ${path} ${clauses.join(', ')}`);
    for (const { name, column } of added) {
      const comment = this.#client.escapeLiteral(cleanText(commentOf(column)));
      await this.#client.query(`COMMENT ON COLUMN ${path}.${name} IS ${comment}`);
    }
    this.#log.info({ table: table.name, columns: added.length }, 'Added columns to a table.');
  }

  #pathOf(name: string): string {
    return `${this.#client.escapeIdentifier(this.#schema)}.${this.#client.escapeIdentifier(name)}`;
  }
}

function listMissing(table: KnownTable, wanted: readonly FieldColumn[]): FieldColumn[] {
  return wanted.filter((column) => !table.byComment.has(cleanText(commentOf(column))));
}

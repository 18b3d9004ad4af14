import type { IndexType } from '../../src/definitions/index.ts';
import type { Oid } from '../../src/model/index.ts';
import type { DraftSet } from '../drafts/draft-set.ts';
import type { ImportReport } from './import-report.ts';

export interface ImportResult {
  readonly set: DraftSet;
  readonly report: ImportReport;
  /** How many files were read. */
  readonly files: number;
}

/** What the definitions that ship and MIB files know and other formats do not say. */
export interface KnownDefinitions {
  /** The index of a table, by the OID of its entry. */
  readonly indexes: ReadonlyMap<Oid, readonly KnownIndexPart[]>;
  /** Which columns are counters, and whether of 64 bits. */
  readonly counters: ReadonlyMap<Oid, 'Counter32' | 'Counter64'>;
  readonly gauges: ReadonlySet<Oid>;
  /** The syntax of columns that MIB files say are no numbers. */
  readonly texts: ReadonlyMap<Oid, string>;
  /** Columns by `MIB::name`. */
  readonly columns: ReadonlyMap<string, Oid>;
  /** The columns of tables in MIB files, by `MIB::name` and by OID. */
  readonly tables: ReadonlyMap<string, readonly KnownColumn[]>;
  readonly objectGroups: ReadonlySet<string>;
  readonly deviceGroups: ReadonlySet<string>;
}

export interface KnownColumn {
  readonly name: string;
  readonly oid: Oid;
}

export interface KnownIndexPart {
  readonly type: IndexType;
  readonly oid: Oid | undefined;
  readonly label: string | undefined;
  readonly syntax: string | undefined;
}

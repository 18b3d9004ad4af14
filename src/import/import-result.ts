import type { IndexType } from '../definitions/index/index-part.ts';
import type { DraftSet } from '../drafts/draft-set.ts';
import type { Oid } from '../model/oid.ts';
import type { ImportReport } from './import-report.ts';

export interface ImportResult {
  readonly set: DraftSet;
  readonly report: ImportReport;
  /** How many files were read. */
  readonly files: number;
}

/** What the definitions that ship know and other formats do not say. */
export interface KnownDefinitions {
  /** The index of a table, by the OID of its entry. */
  readonly indexes: ReadonlyMap<Oid, readonly KnownIndexPart[]>;
  /** Which columns are counters, and whether of 64 bits. */
  readonly counters: ReadonlyMap<Oid, 'Counter32' | 'Counter64'>;
  readonly gauges: ReadonlySet<Oid>;
  /** Columns by `MIB::name`. */
  readonly columns: ReadonlyMap<string, Oid>;
  readonly objectGroups: ReadonlySet<string>;
  readonly deviceGroups: ReadonlySet<string>;
}

interface KnownIndexPart {
  readonly type: IndexType;
  readonly oid: Oid | undefined;
  readonly label: string | undefined;
  readonly syntax: string | undefined;
}

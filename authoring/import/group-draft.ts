import { parentOid } from '../../src/definitions/parent-oid.ts';
import { compareOids, type Oid } from '../../src/model/oid.ts';
import { describe, fieldStep, isUsableName, UniqueNames } from '../drafts/draft-names.ts';
import { type DraftAttribute, type DraftIndexPart, type DraftObject, idOf } from '../drafts/draft-set.ts';

/** An index part before it has a field. */
export interface IndexDraft extends Omit<DraftIndexPart, 'name' | 'column'> {
  /** The name of the index column; without it the part is no label. */
  readonly label?: string | undefined;
}

/** An attribute before it has a field. */
export interface ColumnDraft extends Omit<DraftAttribute, 'name'> {
  /** What the field is named after; the key by default. */
  readonly alias?: string | undefined;
}

/** Which object a column belongs to: usually that of its entry. Several objects of one entry have variants. */
export interface TablePlace {
  readonly entry: Oid;
  readonly variant: string;
}

interface Table extends TablePlace {
  /** Empty for scalars. */
  readonly index: readonly IndexDraft[];
  readonly columns: Map<string, ColumnDraft>;
  readonly comments: string[];
  name: string | undefined;
  /** The table whose record it belongs to; itself when it has a record of its own. */
  record: Table;
}

export type Added = 'added' | 'merged' | 'name' | 'index';

/**
 * The objects of one object group, made from single columns: those of one table entry become an object, and tables that were joined write
 * into one record. Fields and ids are unique in all groups that share `names`.
 */
export class GroupDraft {
  readonly group: string;
  readonly #names: SharedNames;
  readonly #tables = new Map<string, Table>();

  constructor(group: string, names: SharedNames) {
    this.group = group;
    this.#names = names;
  }

  /**
   * Adds a column of a table, or a scalar when `index` is empty. A column that is there becomes a tag when one of the two is. `name`: the
   * name is taken by another column or cannot be used. `index`: the table has another index.
   */
  add(column: ColumnDraft, index: readonly IndexDraft[], place: TablePlace = placeOf(column.oid)): Added {
    if (!isUsableName(column.key)) return 'name';
    const table = this.#tableOf(place, index);
    if (table === undefined) return 'index';
    const earlier = table.columns.get(column.key);
    if (earlier === undefined) {
      table.columns.set(column.key, column);
      return 'added';
    }
    if (earlier.oid !== column.oid) return 'name';
    if (column.tag === true && earlier.tag !== true) {
      const { metric: _, scale: __, unit: ___, ...text } = { ...earlier, syntax: column.syntax, tag: true };
      table.columns.set(column.key, earlier.metric === undefined ? { ...earlier, tag: true } : text);
    }
    return 'merged';
  }

  /** Whether a column is there. */
  has(oid: Oid, key: string): boolean {
    return this.#find(oid)?.columns.get(key)?.oid === oid;
  }

  /** The tables of two columns have the same rows. */
  join(one: Oid, other: Oid): void {
    const first = recordOf(this.#find(one));
    const second = recordOf(this.#find(other));
    if (first === undefined || second === undefined || first === second) return;
    if (compareOids(first.entry, second.entry) < 0) second.record = first;
    else first.record = second;
  }

  /** Names the table of a column. */
  nameTable(oid: Oid, name: string): void {
    const table = this.#find(oid);
    if (table !== undefined && isUsableName(name)) table.name ??= name;
  }

  /** Adds a line for people in front of the table of a column. */
  comment(oid: Oid, text: string, place: TablePlace = placeOf(oid)): void {
    const comments = this.#find(oid, place)?.comments;
    if (comments?.includes(text) === false) comments.push(text);
  }

  /** The objects, by OID. */
  build(): DraftObject[] {
    const entries = new UniqueNames();
    const tables = [...this.#tables.values()].sort((a, b) => compareOids(a.entry, b.entry));
    const named = new Map(
      tables.map((table) => [
        table,
        entries.nameFor(nameOf(table), `${table.entry} ${table.index.length} ${table.variant}`),
      ]),
    );
    const labels = new Map<Table, Set<Oid>>();
    return tables.map((table) => this.#build(table, named, labels));
  }

  #find(oid: Oid, { entry, variant }: TablePlace = placeOf(oid)): Table | undefined {
    return this.#tables.get(`${entry}${variant}`) ?? this.#tables.get(scalarsOf(entry));
  }

  #tableOf({ entry, variant }: TablePlace, index: readonly IndexDraft[]): Table | undefined {
    const key = index.length === 0 ? scalarsOf(entry) : `${entry}${variant}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return sameIndex(known.index, index) ? known : undefined;
    const table = {
      entry,
      variant,
      index,
      columns: new Map(),
      comments: [],
      name: undefined,
    } as unknown as Table;
    table.record = table;
    this.#tables.set(key, table);
    return table;
  }

  #build(table: Table, named: ReadonlyMap<Table, string>, labelsByRecord: Map<Table, Set<Oid>>): DraftObject {
    const { group } = this;
    const record = recordOf(table)!;
    const labels = labelsByRecord.get(record) ?? new Set();
    labelsByRecord.set(record, labels);
    // One object of a record brings a label of another table for all of them.
    const columns = [...table.columns.values()]
      .filter(({ at, oid }) => at === undefined || !labels.has(oid))
      .sort((a, b) => compareOids(a.oid, b.oid));
    for (const { at, oid } of columns) if (at !== undefined) labels.add(oid);
    const attributes = columns.map((column): DraftAttribute => {
      const { alias, ...rest } = column;
      const name = this.#names.fieldOf(group, alias ?? column.key, column.oid);
      return { ...rest, name, description: describe(column.description, column.key) };
    });
    const isTable = table.index.length > 0;
    return {
      file: group,
      mib: group,
      entry: named.get(table)!,
      type: 'dynamic',
      comments: table.comments,
      augments: record === table ? undefined : idOf({ mib: group, entry: named.get(record)! }),
      index: isTable ? table.index.map((part) => this.#indexPart(part)) : undefined,
      discoveryAttribute: isTable ? findDiscoveryColumn(table, columns)?.key : undefined,
      attributes,
    };
  }

  #indexPart({ label, ...part }: IndexDraft): DraftIndexPart {
    if (label === undefined) return { ...part, syntax: 'skip' };
    return { ...part, name: this.#names.fieldOf(this.group, label, `index ${label}`), column: label };
  }
}

/** What all groups of a draft name together. */
export class SharedNames {
  readonly #fields = new UniqueNames();
  readonly #groups = new UniqueNames();

  fieldOf(group: string, name: string, owner: string): string {
    const step = this.#groups.nameFor(fieldStep(group), group);
    return this.#fields.nameFor(`${step}.${fieldStep(name)}`, `${group} ${owner}`);
  }
}

function placeOf(oid: Oid): TablePlace {
  return { entry: parentOid(oid), variant: '' };
}

/** Scalars beside the columns of a table: some profiles read single cells. */
function scalarsOf(entry: Oid): string {
  return `${entry} scalars`;
}

function recordOf(table: Table | undefined): Table | undefined {
  let record = table;
  while (record !== undefined && record.record !== record) record = record.record;
  return record;
}

/**
 * A column that all rows have: what names the rows, where the table has it, else the first one. Counters are missing in the rows of
 * interfaces that are down or virtual, and many devices do not answer for the columns of the index.
 */
function findDiscoveryColumn({ index }: Table, columns: readonly ColumnDraft[]): ColumnDraft | undefined {
  const readable = columns.filter(
    ({ key, at }) => at === undefined && index.every(({ label }) => label !== key),
  );
  const others = readable.filter(({ key }) => !/(?:Index|I[dD])$/.test(key));
  return others.find(({ tag }) => tag === true) ?? others[0] ?? readable[0] ?? columns[0];
}

/** The words that all columns begin with, such as `ifHC`, or the name that the source gives. */
function nameOf({ name, columns, index, entry }: Table): string {
  if (name !== undefined) return name;
  const own = [...columns.values()].filter(({ tag }) => tag !== true);
  const keys = (own.length > 0 ? own : [...columns.values()]).map(({ key }) => key);
  const [first = ''] = keys;
  let length = first.length;
  for (const key of keys) while (!key.startsWith(first.slice(0, length))) length--;
  const stem = keys.length === 1 ? first : first.slice(0, length).replace(/[_.-]+$/, '');
  const kind = index.length > 0 ? 'Entry' : 'Scalars';
  return stem.length < 2 ? `${kind.toLowerCase()}.${entry}` : `${stem}${kind}`;
}

/** Labels may differ: a table is named by its first column. */
function sameIndex(one: readonly IndexDraft[], other: readonly IndexDraft[]): boolean {
  return one.length === other.length && one.every(({ type }, at) => type === other[at]!.type);
}

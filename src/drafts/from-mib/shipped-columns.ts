import type { CompiledDefinitions } from '../../definitions/compiler/compiled-definitions.ts';
import { findSyntax } from '../../definitions/syntax/syntax-table.ts';
import type { DraftAttribute, DraftIndexPart } from '../draft-set.ts';

type Known = Pick<
  DraftAttribute,
  'name' | 'syntax' | 'metric' | 'unit' | 'tag' | 'rediscover' | 'overrides'
> & {
  readonly description: string | undefined;
};

/** What drafts take over from definitions that exist, so that the same concept has the same field everywhere. */
export interface ShippedColumns {
  /** By column. */
  readonly attributes: ReadonlyMap<string, Known>;
  readonly indexParts: ReadonlyMap<string, DraftIndexPart>;
  /** The object that has the rows of an index, by the OIDs of its columns with commas between them. */
  readonly rows: ReadonlyMap<string, string>;
  /** By record: the fields of its rows, each with its column. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The discovery attribute by the id of the object; empty for scalars. */
  readonly objects: ReadonlyMap<string, string>;
}

/** Without definitions drafts follow the MIB alone. */
export const noShippedColumns: ShippedColumns = {
  attributes: new Map(),
  indexParts: new Map(),
  rows: new Map(),
  fields: new Map(),
  objects: new Map(),
};

export function shippedColumns({ objects }: Pick<CompiledDefinitions, 'objects'>): ShippedColumns {
  const attributes = new Map<string, Known>();
  const indexParts = new Map<string, DraftIndexPart>();
  const rows = new Map<string, string>();
  const fields = new Map<string, Map<string, string>>();
  for (const { id, index, record, attributes: own } of objects.values()) {
    const known = fields.get(record) ?? new Map<string, string>();
    fields.set(record, known);
    for (const {
      column,
      fields: written,
      syntax,
      metric,
      unit,
      tag,
      rediscover,
      scale,
      description,
      overrides,
    } of own.values()) {
      for (const { field } of written) known.set(field, column);
      const [field] = written;
      if (field === undefined || scale !== undefined || attributes.has(column)) continue;
      const name = nameOf(field.field, syntax);
      attributes.set(column, {
        name,
        syntax,
        metric,
        unit,
        tag: tag ? true : undefined,
        rediscover,
        overrides: overrides[0],
        description,
      });
    }
    if (record !== id) continue;
    const columns = index.map(({ column }) => column);
    if (index.length > 0 && !rows.has(columns.join())) rows.set(columns.join(), id);
    for (const { type, column, field, syntax, mibName } of index) {
      if (column === undefined || field === undefined || indexParts.has(column)) continue;
      indexParts.set(column, { type, oid: column, name: nameOf(field, syntax), syntax, column: mibName });
    }
  }
  return {
    attributes,
    indexParts,
    rows,
    fields,
    objects: new Map([...objects].map(([id, { discoveryAttribute = '' }]) => [id, discoveryAttribute])),
  };
}

/** A field without the suffix of its syntax. */
function nameOf(field: string, syntax: string): string {
  const suffix = findSyntax(syntax)?.suffix ?? '';
  return suffix !== '' && field.endsWith(suffix) ? field.slice(0, -suffix.length) : field;
}

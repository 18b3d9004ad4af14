import type { CompiledDefinitions, CompiledNotification } from '../../../src/definitions/index.ts';
import { findSyntax } from '../../../src/definitions/index.ts';
import type { DraftAttribute, DraftIndexPart } from '../draft-set.ts';

type Known = Pick<
  DraftAttribute,
  'name' | 'syntax' | 'metric' | 'unit' | 'tag' | 'rediscover' | 'overrides'
> & {
  readonly description: string | undefined;
};

/** A column that a definition has: an attribute, or a part of an index. */
export interface KnownVarbind {
  /** The name by which `varbinds` finds it. */
  readonly key: string;
  readonly fields: readonly string[];
  readonly object: KnownObject;
}

/** What a notification about rows of an object can say. */
export interface KnownObject {
  readonly id: string;
  /** The fields that name a row, the best first. Empty for scalars. */
  readonly labels: readonly string[];
  readonly isHeavy: boolean;
}

/** What drafts take over from definitions that exist, so that the same concept has the same field everywhere. */
export interface ShippedColumns {
  /** By column. */
  readonly attributes: ReadonlyMap<string, Known>;
  readonly indexParts: ReadonlyMap<string, DraftIndexPart>;
  /** The object that has the rows of an index, by the OIDs of its columns with commas between them. */
  readonly rows: ReadonlyMap<string, string>;
  /** By record: the fields of its rows, each with its column. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** What notifications can name, by column. */
  readonly varbinds: ReadonlyMap<string, KnownVarbind>;
  /** By their OIDs. */
  readonly notifications: ReadonlyMap<string, Pick<CompiledNotification, 'id' | 'severity' | 'category'>>;
  /** The discovery attribute by the id of the object; empty for scalars. */
  readonly objects: ReadonlyMap<string, string>;
}

/** Without definitions drafts follow the MIB alone. */
export const noShippedColumns: ShippedColumns = {
  attributes: new Map(),
  indexParts: new Map(),
  rows: new Map(),
  fields: new Map(),
  varbinds: new Map(),
  notifications: new Map(),
  objects: new Map(),
};

export function shippedColumns({
  objects,
  notifications,
}: Pick<CompiledDefinitions, 'objects' | 'notifications'>): ShippedColumns {
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
    varbinds: findVarbinds(objects),
    notifications: new Map([...notifications.values()].map((each) => [each.oid, each])),
    objects: new Map([...objects].map(([id, { discoveryAttribute = '' }]) => [id, discoveryAttribute])),
  };
}

function findVarbinds(objects: CompiledDefinitions['objects']): Map<string, KnownVarbind> {
  const varbinds = new Map<string, KnownVarbind>();
  const add = (column: string | undefined, varbind: KnownVarbind) => {
    if (column !== undefined && varbind.fields.length > 0 && !varbinds.has(column))
      varbinds.set(column, varbind);
  };
  for (const { id, index, collect, attributes } of objects.values()) {
    const tags = [...attributes.values()].filter(({ tag, at }) => tag && at === undefined);
    const labels = [...tags.flatMap(({ fields }) => fields), ...index.slice(-1)].flatMap(
      ({ field }) => field ?? [],
    );
    const object = { id, labels: index.length === 0 ? [] : labels, isHeavy: collect === 'on_request' };
    for (const { name: key, column, fields, sensor, at } of attributes.values()) {
      if (at !== undefined) continue;
      const written = sensor === undefined ? fields.map(({ field }) => field) : ['sensor.value'];
      add(column, { key, fields: written, object });
    }
    for (const { column, field, mibName } of index) {
      if (mibName !== undefined && field !== undefined)
        add(column, { key: mibName, fields: [field], object });
    }
  }
  return varbinds;
}

/** A field without the suffix of its syntax. */
function nameOf(field: string, syntax: string): string {
  const suffix = findSyntax(syntax)?.suffix ?? '';
  return suffix !== '' && field.endsWith(suffix) ? field.slice(0, -suffix.length) : field;
}

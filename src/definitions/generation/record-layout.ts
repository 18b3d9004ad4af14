import type {
  AttributeRef,
  CompiledAttribute,
  CompiledDefinitions,
  CompiledField,
} from '../compiler/compiled-definitions.ts';
import type { IndexPart } from '../index/index-part.ts';

/** The index and the columns of one record of one device. */
export interface RecordLayout {
  readonly record: string;
  /** Several tables can be in one record of the vocabulary. */
  readonly table: string;
  readonly index: readonly IndexPart[];
  readonly columns: readonly RecordColumn[];
}

export interface RecordColumn {
  readonly field: string;
  /** Whether it is a label and not a value, as its best writer says. */
  readonly tag: boolean;
  /** The attributes that write it, the best first: the first one with a value writes a row. */
  readonly writers: readonly FieldWriter[];
}

/** An attribute that writes the field. */
export interface FieldWriter extends AttributeRef, CompiledField {}

/**
 * The records of these objects, merged where they augment each other, with columns in the order of the files. An attribute
 * comes before those that it overrides. Of other attributes that write the same field, the later one in file order comes first.
 */
export function layoutRecords(
  definitions: Pick<CompiledDefinitions, 'objects' | 'tables'>,
  objectIds: Iterable<string>,
): RecordLayout[] {
  const wanted = new Set(objectIds);
  const tables = new Set<string>();
  for (const id of wanted) {
    const object = definitions.objects.get(id);
    if (object !== undefined) tables.add(object.table);
  }
  return [...tables].map((table) => {
    const ids = definitions.tables.get(table)?.filter((id) => wanted.has(id)) ?? [];
    const objects = ids.map((id) => definitions.objects.get(id)!);
    const columns = new Map<string, (FieldWriter & Pick<CompiledAttribute, 'tag' | 'overrides'>)[]>();
    for (const object of objects) {
      for (const { name, fields, tag, overrides } of object.attributes.values()) {
        for (const field of fields) {
          const writer = { object: object.id, attribute: name, ...field, tag, overrides };
          const writers = columns.get(field.field);
          if (writers === undefined) columns.set(field.field, [writer]);
          else writers.splice(placeOf(writer, writers), 0, writer);
        }
      }
    }
    return {
      record: objects[0]?.record ?? table,
      table,
      index: objects[0]?.index ?? [],
      columns: [...columns].map(([field, writers]) => ({
        field,
        tag: writers[0]?.tag ?? false,
        writers: writers.map(({ tag, overrides, ...writer }) => writer),
      })),
    };
  });
}

/** First, but after the last one that overrides it. */
function placeOf(
  writer: AttributeRef,
  writers: readonly (AttributeRef & Pick<CompiledAttribute, 'overrides'>)[],
): number {
  return (
    writers.findLastIndex(({ overrides }) =>
      overrides.some((ref) => ref.object === writer.object && ref.attribute === writer.attribute),
    ) + 1
  );
}

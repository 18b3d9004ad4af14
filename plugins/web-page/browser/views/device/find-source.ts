import type { AttributeDefinition } from '../../../../../src/client/index.ts';
import type { WantedExplanation } from '../../state/explain.ts';

/** What `explain` asks for. */
export interface ValueSource {
  readonly object: string;
  readonly attribute: string;
  readonly instance: string;
}

/** An object whose values are in a record, and the instances that the device has. */
export interface SourceObject {
  readonly id: string;
  readonly attributes: readonly AttributeDefinition[];
  readonly instances: readonly string[];
}

/** Where a value may come from, most likely first: attributes with its field, at the instance of its row. */
export function findSources(wanted: WantedExplanation, objects: readonly SourceObject[]): ValueSource[] {
  const named = Object.values(wanted.labels)
    .map((label) => /^(\w+)\.([\d.]+)$/.exec(label))
    .find((match) => match !== null);
  if (named === null || named === undefined) return findByField(wanted, objects);
  const [, name, instance] = named as unknown as readonly [string, string, string];
  const all = objects.flatMap(({ id, attributes }) =>
    attributes
      .filter((attribute) => attribute.name === name || id.endsWith(`::${name}`))
      .map((attribute) => ({ attribute, source: { object: id, attribute: attribute.name, instance } })),
  );
  const exact = all.filter(({ attribute }) => attribute.fields.includes(wanted.field));
  return (exact.length > 0 ? exact : all).map(({ source }) => source);
}

function findByField(
  { field, key, labels }: WantedExplanation,
  objects: readonly SourceObject[],
): ValueSource[] {
  const written = [field, field.replace(/_(rate|delta)$/, '')];
  return objects.flatMap(({ id, attributes, instances }) => {
    const instance = instanceOf(key, labels, new Set(instances));
    return instance === undefined
      ? []
      : attributes
          .filter(({ fields }) => fields.some((each) => written.includes(each)))
          .map(({ name }) => ({ object: id, attribute: name, instance }));
  });
}

/** The instance of a row: its key, an index among its labels, or 0 for a scalar. */
function instanceOf(
  key: string,
  labels: Readonly<Record<string, string>>,
  instances: ReadonlySet<string>,
): string | undefined {
  const indexes = Object.entries(labels)
    .filter(([name]) => /\.(index|number|id)$/.test(name))
    .map(([, value]) => value);
  return [key, ...indexes, '0'].find((each) => instances.has(each));
}

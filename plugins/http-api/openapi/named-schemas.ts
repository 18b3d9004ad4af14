import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** What OpenAPI allows as the name of a component. */
const componentName = /^[\w.-]+$/;

/** Keywords whose value is a schema, a list of schemas, or a map from names to schemas. */
const schemaKeywords = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapKeywords = ['properties', 'patternProperties', '$defs'];

/**
 * Moves each schema that has a title into `components.schemas`, where the title is its name, and leaves a reference. Where
 * two schemas have the same title and differ, the first one gets the name and the other one stays inline.
 */
export function nameSchemas<Document extends object>(
  document: Document & { readonly components?: object },
): Document {
  const schemas = new Map<string, Json>();
  const named = nameWithin(document, schemas) as Document;
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...named, components: { ...document.components, schemas: Object.fromEntries(sorted) } };
}

/** Looks for schemas below `schema` keys, as parameters and contents have them. Examples hold data of any shape. */
function nameWithin(value: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((each) => nameWithin(each, schemas));
  if (!isObject(value)) return value;
  return mapValues(value, (each, key) => {
    if (key === 'example' || key === 'examples') return each;
    return key === 'schema' ? nameSchema(each, schemas) : nameWithin(each, schemas);
  });
}

function nameSchema(schema: unknown, schemas: Map<string, Json>): unknown {
  if (!isObject(schema)) return schema;
  const { title, ...rest } = mapValues(schema, (value, key) => {
    if (schemaKeywords.includes(key)) return nameSchema(value, schemas);
    if (listKeywords.includes(key)) return (value as unknown[]).map((each) => nameSchema(each, schemas));
    if (mapKeywords.includes(key)) return mapValues(value as Json, (each) => nameSchema(each, schemas));
    return value;
  });
  if (typeof title !== 'string' || !componentName.test(title))
    return title === undefined ? rest : { ...rest, title };
  const known = schemas.get(title);
  if (known === undefined) schemas.set(title, rest);
  else if (!isDeepStrictEqual(withoutDescription(known), withoutDescription(rest))) return { ...rest, title };
  // OpenAPI 3.1 allows a description beside a reference: what the schema means at this place.
  const { description } = rest;
  const isOwn = known !== undefined && description !== undefined && description !== known['description'];
  return { $ref: `#/components/schemas/${title}`, ...(isOwn ? { description } : {}) };
}

function withoutDescription({ description: _, ...schema }: Json): Json {
  return schema;
}

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

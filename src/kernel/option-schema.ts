import { FormatRegistry, Kind, type TSchema, Value } from '../typebox.ts';
import { formatChecks } from './text-formats.ts';

/**
 * What is wrong with a schema of options, as sentences: parts that are not made with `Type`, and defaults that the schema itself refuses.
 * Schemas of another copy of TypeBox 0.34 are accepted.
 */
export function findSchemaFaults(schema: unknown, path: readonly string[]): readonly string[] {
  const faults = findForeignParts(schema, path);
  if (faults.length > 0) return faults;
  const { properties = {} } = schema as TSchema;
  // A Type.Record and others are of type object, too, but have no named options.
  if ((schema as TSchema)[Kind] !== 'Object')
    return [`"${path.join('.')}" must be a Type.Object({ … }): options are a map.`];
  registerFormats(schema as TSchema);
  return Object.entries(properties as Readonly<Record<string, TSchema>>).flatMap(([name, option]) =>
    findWrongDefault(option, [...path, name]),
  );
}

/** Registers how texts of each `format` in the schema are checked. As in JSON Schema, a format that nobody knows allows every text. */
export function registerFormats(schema: TSchema): void {
  const { format } = schema;
  if (typeof format === 'string' && !FormatRegistry.Has(format)) {
    FormatRegistry.Set(format, formatChecks[format] ?? (() => true));
  }
  for (const [, part] of partsOf(schema)) registerFormats(part as TSchema);
}

function findForeignParts(schema: unknown, path: readonly string[]): string[] {
  const place = `"${path.join('.')}"`;
  if (typeof schema === 'function') return [`${place} is a function of Type that is not called: write ().`];
  if (typeof schema !== 'object' || schema === null || typeof (schema as TSchema)[Kind] !== 'string') {
    return [`${place} must be made with Type of waywiser, such as Type.${suggestType(schema, path)}.`];
  }
  const kind = (schema as TSchema)[Kind];
  if (!isKnown(schema as TSchema))
    return [`${place} has the kind ${kind}, which nothing checks: use another Type, or register the kind.`];
  return partsOf(schema as TSchema).flatMap(([key, part]) => findForeignParts(part, [...path, ...key]));
}

/** Whether values can be checked by a schema of this kind. */
function isKnown(schema: TSchema): boolean {
  try {
    Value.Check(schema, undefined);
    return true;
  } catch (error) {
    return !(error instanceof Error && error.message === 'Unknown type');
  }
}

/** What was probably meant by something that is no schema. */
function suggestType(schema: unknown, path: readonly string[]): string {
  const type = (schema as { readonly type?: unknown } | null | undefined)?.type ?? typeof schema;
  const byType: Readonly<Record<string, string>> = {
    string: 'String()',
    number: 'Number()',
    integer: 'Integer()',
    boolean: 'Boolean()',
    array: 'Array(Type.String())',
  };
  return path.length > 1 ? (byType[String(type)] ?? 'String()') : 'Object({ … })';
}

/** The schemas directly inside of a schema, with the path of each. */
function partsOf(schema: TSchema): readonly (readonly [path: readonly string[], part: unknown])[] {
  const named = (key: string) =>
    Object.entries((schema[key] as object | undefined) ?? {}).map(([name, part]) => [[name], part] as const);
  const one = (key: string) => (schema[key] === undefined ? [] : [[[key], schema[key]] as const]);
  const additional = typeof schema['additionalProperties'] === 'object' ? one('additionalProperties') : [];
  const items = Array.isArray(schema['items']) ? named('items') : one('items');
  return [
    ...named('properties'),
    ...named('patternProperties'),
    ...items,
    ...additional,
    ...['anyOf', 'allOf'].flatMap(named),
  ];
}

function findWrongDefault(option: TSchema, path: readonly string[]): string[] {
  if (option['default'] === undefined) return [];
  const place = `"${path.join('.')}"`;
  try {
    const value = Value.Default(option, Value.Clone(option['default']));
    const [first] = Value.Errors(option, value);
    if (first === undefined) return [];
    return [`${place} has a default that its own schema refuses: ${first.message.toLowerCase()}.`];
  } catch {
    return [`${place} has a default that is no plain data.`];
  }
}

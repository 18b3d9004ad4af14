/** The part of JSON Schema that the API's document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

/**
 * A schema as a TypeScript type; a reference is the name of its component. In what is `sent`, a property that has a default
 * is optional. Answers always have it.
 */
export function typeOf(schema: JsonSchema, sent: boolean, indent: string): string {
  if (schema.$ref !== undefined) return componentOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return unite(schema.enum.map(literal));
  if (schema.anyOf !== undefined) return unite(schema.anyOf.map((each) => typeOf(each, sent, indent)));
  if (schema.allOf !== undefined) {
    return schema.allOf.map((each) => typeOf(each, sent, indent)).join(' & ');
  }
  const types = [schema.type ?? 'unknown'].flat();
  return unite(types.map((type) => simpleType(type, schema, sent, indent)));
}

/** The name of the component that a reference points to. */
export function componentOf(reference: string): string {
  return reference.replace('#/components/schemas/', '');
}

function simpleType(type: string, schema: JsonSchema, sent: boolean, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array': {
      const item = typeOf(schema.items ?? {}, sent, indent);
      const isOne = item.startsWith('{') || !/ [|&] /.test(item);
      return isOne ? `readonly ${item}[]` : `readonly (${item})[]`;
    }
    case 'object':
      return objectType(schema, sent, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: JsonSchema, sent: boolean, indent: string): string {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Readonly<Record<string, ${typeOf(value, sent, indent)}>>`;
  }
  const inner = `${indent}  `;
  const lines = names.map((name) => {
    const property = properties[name]!;
    const isNeeded = required.includes(name) && !(sent && property.default !== undefined);
    const mark = isNeeded ? '' : '?';
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const note =
      property.description === undefined ? '' : `${inner}/** ${escapeNote(property.description)} */\n`;
    return `${note}${inner}readonly ${key}${mark}: ${typeOf(property, sent, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : JSON.stringify(value);
}

function unite(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

export function escapeNote(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');
}

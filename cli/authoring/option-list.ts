import type { TSchema } from '../../src/typebox.ts';

/** One option of a plugin, as the documentation shows it. */
export interface OptionLine {
  /** A dotted path: `delivery.group_batches`; `routes[].prefix` in a list of maps, `pages.*.url` in a map of any names. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly default: unknown;
  readonly description: string;
}

/** All options of a schema. Options inside maps and lists follow the option that contains them. */
export function listOptions(schema: TSchema, prefix = ''): OptionLine[] {
  const properties: Readonly<Record<string, TSchema>> = schema['properties'] ?? {};
  const required: readonly string[] = schema['required'] ?? [];
  return Object.entries(properties).flatMap(([key, option]) => [
    {
      name: prefix + key,
      type: describeType(option),
      isRequired: required.includes(key) && option['default'] === undefined,
      default: option['default'],
      description: option['description'] ?? option['items']?.['description'] ?? '',
    },
    ...listOptions(option, `${prefix}${key}.`),
    ...listOptions(option['items'] ?? {}, `${prefix}${key}[].`),
    ...Object.values<TSchema>(option['patternProperties'] ?? {}).flatMap((value) =>
      listOptions(value, `${prefix}${key}.*.`),
    ),
  ]);
}

function describeType(schema: TSchema): string {
  if (schema['waywiser'] !== undefined) return schema['waywiser'];
  if (schema['const'] !== undefined) return String(schema['const']);
  if (Array.isArray(schema['anyOf'])) return [...new Set(schema['anyOf'].map(describeType))].join(' | ');
  if (schema['type'] === 'array') return `list of ${describeType(schema['items'] ?? {})}`;
  if (schema['type'] === 'object') return 'map';
  const { minimum, maximum } = schema;
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}…${maximum ?? ''}`;
  return `${schema['type'] ?? 'any'}${range}`;
}

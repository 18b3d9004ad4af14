import { resolve } from 'node:path';
import { suggestName } from '../nearest-name.ts';
import { type TObject, type TSchema, Type, Value, type ValueError, ValueErrorType } from '../typebox.ts';
import { explainError } from './errors.ts';
import { registerFormats } from './option-schema.ts';
import { isSecretReference, resolveSecret, type Secret, type SecretSources } from './secrets.ts';
import { hideUrlSecrets } from './url-text.ts';

/**
 * An option for a file or directory. A relative path starts at the directory of the configuration file; the plugin receives an
 * absolute path. Whether it exists is not checked.
 */
export function pathOption(settings: { description: string; default?: string }) {
  return Type.String({ minLength: 1, ...settings, waywiser: 'path' });
}

/**
 * An option for a secret. The configuration must give a reference, `${env:NAME}` or `${file:name}`: the secret itself is refused.
 * The plugin receives a `Secret`, which follows its file: reveal it where it is sent, each time.
 */
export function secretOption(settings: { description: string }) {
  return Type.Unsafe<Secret>(Type.String({ ...settings, waywiser: 'secret' }));
}

/** Something wrong with a value, and where it is. */
export interface OptionProblem {
  readonly path: readonly string[];
  readonly rule: 'unknown-key' | 'missing' | 'type' | 'secret';
  readonly message: string;
}

export interface OptionSources {
  readonly baseDirectory: string;
  readonly secrets: SecretSources;
}

/**
 * Checks `raw` against a schema: fills defaults, makes paths absolute, resolves secrets and freezes the result.
 * Reports every problem; `options` may be used only when there is none.
 */
export function checkOptions(
  schema: TObject,
  raw: unknown,
  sources: OptionSources,
): { readonly options: unknown; readonly problems: readonly OptionProblem[] } {
  const closed = closeObjects(schema);
  const given = raw ?? {};
  const impure = findFunctions(given, []);
  if (impure.length > 0) return { options: undefined, problems: impure };
  registerFormats(closed);
  // Value.Default replaces a list with the defaults of the map that is expected there, so lists are checked first.
  const misplacedLists = [...Value.Errors(closed, given)].filter(({ value }) => Array.isArray(value));
  const value = Value.Default(closed, Value.Clone(given));
  const problems = findProblems(closed, [...misplacedLists, ...Value.Errors(closed, value)]);
  if (problems.length > 0) return { options: undefined, problems };
  const options = finish(closed, value, [], sources, problems);
  return { options, problems };
}

/** Functions among the options of a program: options are what a file can hold. */
function findFunctions(value: unknown, path: readonly string[]): OptionProblem[] {
  if (typeof value === 'function' || typeof value === 'symbol') {
    const message = `"${path.join('.') || 'options'}": must be plain data, as in a file, received a ${typeof value}. A function that makes the plugin can take it.`;
    return [{ path, rule: 'type', message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findFunctions(item, [...path, key]));
}

/** The schema with `additionalProperties: false` wherever the author has not set it. */
export function closeObjects<Schema extends TSchema>(schema: Schema): Schema {
  const closed: Record<string, unknown> = { ...schema };
  if (schema['properties'] !== undefined) {
    closed['additionalProperties'] = schema['additionalProperties'] ?? false;
    closed['properties'] = mapValues<TSchema, TSchema>(schema['properties'], closeObjects);
  }
  if (Array.isArray(schema['items'])) closed['items'] = schema['items'].map(closeObjects);
  else if (schema['items'] !== undefined) closed['items'] = closeObjects(schema['items']);
  if (schema['patternProperties'] !== undefined) {
    closed['patternProperties'] = mapValues<TSchema, TSchema>(schema['patternProperties'], closeObjects);
  }
  for (const key of ['anyOf', 'allOf']) {
    if (Array.isArray(schema[key])) closed[key] = schema[key].map(closeObjects);
  }
  return closed as Schema;
}

function findProblems(schema: TSchema, errors: readonly ValueError[]): OptionProblem[] {
  const byPath = new Map<string, OptionProblem>();
  for (const { type, path: pointer, schema: at, value: received, message } of errors) {
    if (byPath.has(pointer)) continue;
    const path = pointer.split('/').slice(1).map(unescapePointer);
    const key = path.at(-1) ?? 'options';
    const place = path.length === 0 ? key : path.join('.');
    const add = (rule: OptionProblem['rule'], text: string, named = place) =>
      byPath.set(pointer, { path, rule, message: `"${named}"${text}` });
    if (type === ValueErrorType.ObjectAdditionalProperties) {
      const known = Object.keys(path.slice(0, -1).reduce(schemaBelow, schema)['properties'] ?? {});
      const hint = suggestName(key, known) || ` Known keys: ${known.join(', ') || 'none'}.`;
      add('unknown-key', ` is not a known key.${hint}`, key);
    } else if (received === undefined) {
      add('missing', ` is required: ${describeExpected(at)}.`);
    } else {
      const shown = at['waywiser'] === 'secret' ? '' : `, received ${describeReceived(received)}`;
      add('type', `: ${describeExpected(at, describeRule(type, at) ?? message.toLowerCase())}${shown}.`);
    }
  }
  return [...byPath.values()];
}

function describeExpected(schema: TSchema, message = ''): string {
  const choices: readonly TSchema[] = schema['anyOf'] ?? [];
  if (choices.length > 0 && choices.every((choice) => choice['const'] !== undefined)) {
    return `must be one of ${choices.map((choice) => choice['const']).join(', ')}`;
  }
  const description: string | undefined = schema['description'];
  if (message === '') return description ?? schema['type'] ?? 'a value';
  return description === undefined ? message : `${message} (${description})`;
}

/** The rule of a schema, in the terms of the configuration file. */
function describeRule(type: ValueErrorType, schema: TSchema): string | undefined {
  switch (type) {
    case ValueErrorType.Object:
      return 'must be a map';
    case ValueErrorType.Array:
      return 'must be a list';
    case ValueErrorType.String:
      return 'must be text';
    case ValueErrorType.Boolean:
      return 'must be true or false';
    case ValueErrorType.Integer:
      return 'must be a whole number';
    case ValueErrorType.Number:
      return 'must be a number';
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema['minimum']}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema['maximum']}`;
    case ValueErrorType.StringMinLength:
      return 'must not be empty';
    case ValueErrorType.StringPattern:
      return `must match ${schema['pattern']}`;
    case ValueErrorType.StringFormat:
      return `must have the format ${schema['format']}`;
    default:
      return undefined;
  }
}

function describeReceived(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : hideUrlSecrets(JSON.stringify(value)).slice(0, 60);
}

/** The schema of `key` in a map or of an item in a list; any value is allowed where the schema says nothing. */
export function schemaBelow(schema: TSchema, key: string): TSchema {
  const { properties, items, patternProperties } = schema;
  const item = Array.isArray(items) ? items[Number(key)] : items;
  return properties?.[key] ?? item ?? Object.values(patternProperties ?? {})[0] ?? Type.Any();
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Walks schema and value together: marked strings become absolute paths and secrets, everything else is frozen. */
function finish(
  declared: TSchema,
  value: unknown,
  path: readonly string[],
  sources: OptionSources,
  problems: OptionProblem[],
): unknown {
  const schema = chooseVariant(declared, value);
  if (typeof value === 'string') {
    if (schema['waywiser'] === 'path') return resolve(sources.baseDirectory, value);
    if (schema['waywiser'] === 'secret') return finishSecret(value, path, sources.secrets, problems);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const finishBelow = (key: string, item: unknown) =>
    finish(schemaBelow(schema, key), item, [...path, key], sources, problems);
  if (Array.isArray(value)) return Object.freeze(value.map((item, i) => finishBelow(String(i), item)));
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, finishBelow(key, item)])),
  );
}

/** The first variant of a union that the value matches. */
function chooseVariant(schema: TSchema, value: unknown): TSchema {
  const variants: readonly TSchema[] = schema['anyOf'] ?? [];
  return variants.find((variant) => Value.Check(variant, value)) ?? schema;
}

function finishSecret(
  text: string,
  path: readonly string[],
  sources: SecretSources,
  problems: OptionProblem[],
): Secret | undefined {
  try {
    return resolveSecret(text, sources);
  } catch (error) {
    const advice = isSecretReference(text)
      ? explainError(error)
      : 'Write a secret as ${env:NAME} or ${file:name}.';
    problems.push({ path, rule: 'secret', message: advice });
    return undefined;
  }
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

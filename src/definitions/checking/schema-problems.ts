import { suggestName } from '../../nearest-name.ts';
import { type TSchema, type TypeCheck, type ValueError, ValueErrorType } from '../../typebox.ts';
import { findNode, type PositionNode } from '../yaml/position-node.ts';
import type { YamlProblem } from '../yaml/yaml-document.ts';
import { yamlLimits } from '../yaml/yaml-limits.ts';

/** Where an entry does not fit its schema: one problem per place, reported where a person would look for it. */
export function findSchemaProblems(
  check: TypeCheck<TSchema>,
  schema: TSchema,
  entry: unknown,
  node: PositionNode,
  id: string,
): YamlProblem[] {
  const problems = new Map<string, YamlProblem>();
  for (const error of check.Errors(entry)) {
    if (problems.size >= yamlLimits.maxProblems) break;
    if (!problems.has(error.path)) problems.set(error.path, describeError(error, schema, node, id));
  }
  return [...problems.values()];
}

/** The keys in a JSON pointer. */
export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function describeError(error: ValueError, schema: TSchema, node: PositionNode, id: string): YamlProblem {
  const path = pathOfPointer(error.path);
  const key = path.at(-1) ?? id;
  const { node: at, depth } = findNode(node, path);
  const keyOffset = at.keyOffset === -1 ? at.offset : at.keyOffset;

  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { ...describeUnknownKey(key, schemaAt(schema, path.slice(0, -1))), offset: keyOffset };
  }
  if (depth < path.length || error.value === undefined) {
    const holder = path.at(-2) ?? id;
    const message = `“${holder}” lacks the key ${key}. ${wantedBy(error.schema)}`.trim();
    return { rule: 'missing-key', message, offset: keyOffset };
  }
  const offset = at.offset === -1 ? keyOffset : at.offset;
  const isWrongType = typeErrors.has(error.type) || !isOfWantedType(error.schema, error.value);
  const received = describeValue(error.value, error.schema);
  const hint = typeof error.value === 'string' ? suggestName(error.value, choicesOf(error.schema)) : '';
  const remedy = error.value === null ? ' Give it a value, or remove the key.' : hint;
  const message = `${key} is ${received}, but must be ${wantedForm(error.schema)}.${remedy}`;
  return { rule: isWrongType ? 'wrong-type' : 'bad-value', message, offset };
}

function describeUnknownKey(key: string, holder: TSchema | undefined): { rule: string; message: string } {
  if (key in Object.prototype) {
    return { rule: 'forbidden-key', message: `“${key}” cannot be a key. Remove it.` };
  }
  if (key === '<<') {
    return { rule: 'merge-key', message: 'Merge keys (<<) are not supported. Write the values out.' };
  }
  const known = Object.keys(holder?.['properties'] ?? {});
  if (known.length === 0)
    return { rule: 'bad-value', message: `“${key.slice(0, 60)}” cannot be a key here.` };
  const hint = suggestName(key, known) || ` Known keys are ${known.join(', ')}.`;
  return { rule: 'unknown-key', message: `“${key.slice(0, 60)}” is not a known key here.${hint}` };
}

const typeErrors: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.Array,
  ValueErrorType.Boolean,
  ValueErrorType.Integer,
  ValueErrorType.Number,
  ValueErrorType.Object,
  ValueErrorType.String,
]);

function isOfWantedType(schema: TSchema, value: unknown): boolean {
  const choices: readonly TSchema[] = schema['anyOf'] ?? [schema];
  return choices.some(({ type, const: constant }) =>
    constant === undefined
      ? typeName(value) === (type === 'integer' ? 'number' : type)
      : typeof constant === typeof value,
  );
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function wantedForm(schema: TSchema): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    const other = schema['anyOf']?.find((choice: TSchema) => choice['const'] === undefined);
    return [
      ...(other === undefined ? [] : [wantedForm(other)]),
      choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`,
    ].join(' or ');
  }
  const { type, minimum, maximum, minLength, maxLength, pattern } = schema;
  if (type === 'array') return 'a list';
  if (type === 'object') return 'a map';
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  if (typeof pattern === 'string' && pattern.startsWith('^\\.?')) return 'an OID in decimal';
  const length = [minLength && `at least ${minLength}`, maxLength && `at most ${maxLength}`].filter(Boolean);
  return length.length === 0 ? 'text' : `text of ${length.join(' and ')} characters`;
}

function wantedBy(schema: TSchema): string {
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

function choicesOf(schema: TSchema): string[] {
  const constants: unknown[] = (schema['anyOf'] ?? [schema]).map((choice: TSchema) => choice['const']);
  return [...new Set(constants.filter((constant) => constant !== undefined).map(String))];
}

const openTypes: ReadonlySet<string> = new Set(['array', 'object', 'string']);

/** Shows only the type of free text, because it may be a secret. */
function describeValue(value: unknown, wanted: TSchema): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value !== 'string') return String(value);
  const isOpen = choicesOf(wanted).length === 0 && openTypes.has(wanted['type']);
  return isOpen || value.length > 40 ? `text of ${value.length} characters` : `“${value}”`;
}

function schemaAt(schema: TSchema, path: readonly string[]): TSchema | undefined {
  return path.reduce<TSchema | undefined>(
    (at, key) =>
      at?.['properties']?.[key] ??
      at?.['items'] ??
      Object.values<TSchema>(at?.['patternProperties'] ?? {})[0],
    schema,
  );
}

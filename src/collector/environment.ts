import { parse } from 'yaml';
import type { PluginInstance } from '../kernel/boot-order.ts';
import { schemaBelow } from '../kernel/plugin-options.ts';
import { suggestName } from '../nearest-name.ts';
import type { TObject, TSchema } from '../typebox.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Applies the environment to the options of a plugin: WAYWISER_PLUGINS__HTTP_API__PORT=9090 sets `port` of `http-api`. Two
 * underscores separate the levels; other characters than letters and digits become one underscore. A text option takes the
 * value as it is; any other value is YAML.
 */
export function overrideOptions(name: string, schema: TObject, raw: unknown, env: Environment): unknown {
  let value: unknown = raw ?? {};
  for (const [variable, text] of Object.entries(env)) {
    const path = findTarget(name, schema, variable);
    if (path === undefined || text === undefined) continue;
    const wanted = path.reduce<TSchema>(schemaBelow, schema);
    value = setAt(value, path, wanted['type'] === 'string' ? text : readValue(text));
  }
  return value;
}

/** Where each option comes from: `configuration`, `default`, or the environment variable that sets it or a part of it. */
export function originsOf(
  name: string,
  schema: TObject,
  raw: unknown,
  env: Environment,
): Record<string, string> {
  const written = new Set(Object.keys(raw ?? {}));
  const origins = Object.fromEntries(
    Object.keys(schema.properties).map((option) => [
      option,
      written.has(option) ? 'configuration' : 'default',
    ]),
  );
  for (const variable of Object.keys(env)) {
    const option = findTarget(name, schema, variable)?.[0];
    if (option !== undefined && env[variable] !== undefined) origins[option] = variable;
  }
  return origins;
}

/** A sentence for each variable that looks like an override and matches no option of a loaded plugin. */
export function findStrayVariables(instances: readonly PluginInstance[], env: Environment): string[] {
  const known = instances.flatMap(({ name, plugin }) =>
    listPaths(plugin.options).map((path) => variablePrefix(name) + path.map(toVariable).join('__')),
  );
  return Object.keys(env)
    .filter((variable) => variable.startsWith('WAYWISER_PLUGINS__'))
    .filter((variable) => !instances.some(({ name, plugin }) => findTarget(name, plugin.options, variable)))
    .map(
      (variable) => `The environment variable ${variable} matches no option.${suggestName(variable, known)}`,
    );
}

function findTarget(name: string, schema: TObject, variable: string): string[] | undefined {
  const prefix = variablePrefix(name);
  return variable.startsWith(prefix)
    ? findPath(schema, variable.slice(prefix.length).split('__'))
    : undefined;
}

function variablePrefix(name: string): string {
  return `WAYWISER_PLUGINS__${toVariable(name)}__`;
}

function toVariable(key: string): string {
  return key.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** The option path of the parts of a variable's name. In a map with free keys, the key is the part in lower case. */
function findPath(schema: TSchema, parts: readonly string[]): string[] | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return [];
  const properties: Readonly<Record<string, TSchema>> = schema['properties'] ?? {};
  const key = Object.keys(properties).find((name) => toVariable(name) === part);
  const free: TSchema | undefined = Object.values<TSchema>(schema['patternProperties'] ?? {})[0];
  const next = key === undefined ? free : properties[key];
  if (next === undefined) return undefined;
  const below = findPath(next, rest);
  return below === undefined ? undefined : [key ?? part.toLowerCase(), ...below];
}

function listPaths(schema: TSchema): string[][] {
  const properties: Readonly<Record<string, TSchema>> = schema['properties'] ?? {};
  return Object.entries(properties).flatMap(([key, below]) => [
    [key],
    ...listPaths(below).map((path) => [key, ...path]),
  ]);
}

function setAt(value: unknown, path: readonly string[], leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  const map = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return { ...map, [key]: setAt(map[key], rest, leaf) };
}

function readValue(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

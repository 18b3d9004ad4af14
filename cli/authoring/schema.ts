import { cwd } from 'node:process';
import { createPluginFinder } from '../../src/collector/index.ts';
import { type DefinitionKind, definitionKinds, definitionSchemas } from '../../src/definitions/index.ts';
import { closeObjects, collectorSchema } from '../../src/kernel/index.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { usageFailure } from '../cli-errors.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

/** The kind of waywiser.yml, beside those of definition files. */
const ofConfiguration = 'waywiser';
const kinds = [ofConfiguration, ...definitionKinds] as const;

/** `waywiser schema [KIND]`: prints the JSON Schema of waywiser.yml, made from those of the plugins, or of a kind of definition file. */
export async function printSchema(name: string = ofConfiguration): Promise<number> {
  const kind = kinds.find((known) => known === name);
  if (kind === undefined) {
    const suggestion = suggestName(name, kinds);
    throw usageFailure('FILE_KIND_UNKNOWN', { kind: name, suggestion, known: kinds.join(', ') });
  }
  console.log(format(kind === ofConfiguration ? await buildSchema() : buildFileSchema(kind)));
  return exitCodes.done;
}

/** The schemas of waywiser.yml and of each kind of definition file, as the command prints them, by file name. */
export async function writeSchemas(): Promise<ReadonlyMap<string, string>> {
  const ofFiles = definitionKinds.map((kind) => [`${kind}.json`, buildFileSchema(kind)] as const);
  const all = [['waywiser.json', await buildSchema()] as const, ...ofFiles];
  return new Map(all.map(([name, schema]) => [name, `${format(schema)}\n`]));
}

function format(schema: unknown): string {
  return JSON.stringify(schema, requireOnlyWithoutDefault, 2);
}

/** After the check of options every key with a default is there, so TypeBox requires it; a file may leave it out. */
function requireOnlyWithoutDefault(_: string, value: unknown): unknown {
  const { required, properties } = (value ?? {}) as {
    required?: unknown;
    properties?: Record<string, object>;
  };
  if (!Array.isArray(required) || properties === undefined) return value;
  return {
    ...(value as object),
    required: required.filter((key) => !('default' in (properties[key] ?? {}))),
  };
}

function buildFileSchema(kind: DefinitionKind): unknown {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Waywiser ${kind}`,
    type: 'object',
    additionalProperties: definitionSchemas[kind],
  };
}

async function buildSchema(): Promise<unknown> {
  const finder = createPluginFinder(cwd());
  const plugins = await Promise.all(
    finder.builtInNames.map(async (name) => (await finder.find(name)).plugin),
  );
  const optionsOf = Object.fromEntries(
    plugins.map(({ name, summary, options }) => [name, { ...closeObjects(options), description: summary }]),
  );
  const instancesOf = Object.fromEntries(
    plugins.map(({ name }) => [`^${name}/.+$`, { $ref: `#/properties/plugins/properties/${name}` }]),
  );
  const { plugins: _, ...keys } = collectorSchema.properties;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'waywiser.yml',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...keys,
      plugins: { type: 'object', properties: nullable(optionsOf), patternProperties: instancesOf },
    },
  };
}

/** `http-api:` without a value is the same as with no options. */
function nullable(schemas: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, type: ['object', 'null'] }]),
  );
}

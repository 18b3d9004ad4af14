import { suggestName } from '../nearest-name.ts';
import { kernelFailure } from './errors.ts';
import { findSchemaFaults } from './option-schema.ts';
import { pluginKinds } from './plugin-kind.ts';

/** What is wrong with a value of a definition: sentences that name it by `place`, such as `"needs.clock"`. */
export type ValueRule = (value: unknown, place: string) => readonly string[];

/** A key of a definition: what its value must be, and whether it may be left out. */
export interface DefinitionKey {
  readonly rule: ValueRule;
  readonly isRequired?: boolean;
}

export type DefinitionKeys = Readonly<Record<string, DefinitionKey>>;

/** Throws one error with everything that is wrong with what `maker` was called with. The types say the same to authors who write TypeScript. */
export function checkDefinition(maker: string, definition: unknown, keys: DefinitionKeys): void {
  if (!isMap(definition) || definition instanceof Promise) {
    const problems = `It takes one map with the keys ${Object.keys(keys).join(', ')}, received ${describe(definition)}.`;
    throw kernelFailure('PLUGIN_DEFINITION_INVALID', { maker, plugin: '', problems });
  }
  const faults = Object.keys(definition)
    .filter((key) => keys[key] === undefined)
    .map((key) => {
      const hint = suggestName(key, Object.keys(keys)) || ` Known keys: ${Object.keys(keys).join(', ')}.`;
      return `"${key}" is not a known key.${hint}`;
    });
  for (const [key, { rule, isRequired = false }] of Object.entries(keys)) {
    const value = definition[key];
    if (value === undefined && !isRequired) continue;
    faults.push(...rule(value, `"${key}"`));
  }
  if (faults.length === 0) return;
  const { name } = definition;
  const plugin = typeof name === 'string' ? ` "${name}"` : '';
  throw kernelFailure('PLUGIN_DEFINITION_INVALID', { maker, plugin, problems: faults.join(' ') });
}

/** A rule of the form “must be …”. */
function mustBe(what: string, isGood: (value: unknown) => boolean): ValueRule {
  return (value, place) => {
    if (value === undefined) return [`${place} is missing: it must be ${what}.`];
    return isGood(value) ? [] : [`${place} must be ${what}, received ${describe(value)}.`];
  };
}

const functionRule = mustBe('a function', (value) => typeof value === 'function');
const flagRule = mustBe('true or false', (value) => typeof value === 'boolean');
const mapOfMapsRule = mustBe(
  'a map of records, each with a map of fields such as { requests: { kind: "counter" } }',
  (value) => isMap(value) && Object.values(value).every(isMap),
);
const nameRule = mustBe('text in kebab-case', (value) => typeof value === 'string' && value !== '');
const textRule = mustBe('text', (value) => typeof value === 'string');
const moduleRule = mustBe('import.meta.url', (value) => typeof value === 'string' && URL.canParse(value));
const durationRule = mustBe(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0,
);
const flagOrFunctionRule = mustBe(
  'true, false or a function',
  (value) => typeof value === 'boolean' || typeof value === 'function',
);

const knownKindRule = mustBe(`one of ${pluginKinds.join(', ')}`, (value) =>
  pluginKinds.includes(value as never),
);
const kindRule: ValueRule = (value, place) =>
  knownKindRule(value, place).map((fault) => fault + suggestName(String(value), pluginKinds));

const tokenRule: ValueRule = (value, place) => {
  if (isMap(value) && typeof value['name'] === 'string') return [];
  const reason = value === undefined ? ' Its module does not export what you import.' : '';
  return [
    `${place} must be a token, which serviceToken makes or a plugin exports, received ${describe(value)}.${reason}`,
  ];
};

const needsRule: ValueRule = (value, place) => {
  if (!isMap(value)) return [`${place} must be a map of tokens, received ${describe(value)}.`];
  return Object.entries(value).flatMap(([key, token]) => tokenRule(token, `"needs.${key}"`));
};

/** The rule for `options`. `taken` are the options that all plugins of this kind have. */
function optionsRule(taken: readonly string[] = []): ValueRule {
  return (value) => {
    const faults = findSchemaFaults(value, ['options']);
    if (faults.length > 0) return faults;
    return taken
      .filter((name) => name in (value as { readonly properties: object }).properties)
      .map(
        (name) => `"options.${name}" is taken: every output has an option of this name. Choose another one.`,
      );
  };
}

/** The rules by what a value stands for. */
export const definitionRules = {
  aFunction: functionRule,
  aFlag: flagRule,
  fields: mapOfMapsRule,
  name: nameRule,
  text: textRule,
  moduleUrl: moduleRule,
  duration: durationRule,
  flagOrFunction: flagOrFunctionRule,
  kind: kindRule,
  token: tokenRule,
  needs: needsRule,
  options: optionsRule,
} as const;

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that a program has passed, in the words of a message. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`;
  if (typeof value === 'object') return value instanceof Promise ? 'a promise' : 'a map';
  return typeof value === 'string' ? JSON.stringify(value).slice(0, 60) : String(value);
}

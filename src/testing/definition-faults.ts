import type { Plugin } from '../kernel/plugin.ts';
import { checkOptions } from '../kernel/plugin-options.ts';
import type { TSchema } from '../typebox.ts';

/** What is wrong with a plugin before it starts: its name, its summary, its options. */
export function findDefinitionFaults(plugin: Plugin, options: unknown): string[] {
  const faults: string[] = [];
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(plugin.name))
    faults.push(`its name is not kebab-case: "${plugin.name}"`);
  if (!isOneSentence(plugin.summary)) faults.push(`its summary is not one sentence: "${plugin.summary}"`);
  for (const path of findUndescribed(plugin.options)) faults.push(`the option "${path}" has no description`);
  if (!refusesUnknown(plugin, options)) faults.push('it accepts an unknown option');
  return faults;
}

function isOneSentence(text: string): boolean {
  return /^[A-Z][^\n]*\.$/.test(text) && !/[.!?] +[A-Z]/.test(text);
}

/** The paths of the options without a description, those of nested maps, lists and variants included. */
function findUndescribed(schema: TSchema, path: readonly string[] = []): string[] {
  const below = Object.entries<TSchema>(schema['properties'] ?? {}).flatMap(([key, option]) => [
    ...(typeof option['description'] === 'string' && option['description'] !== ''
      ? []
      : [[...path, key].join('.')]),
    ...findUndescribed(option, [...path, key]),
  ]);
  const inner: readonly TSchema[] = [
    ...(schema['anyOf'] ?? []),
    ...(schema['items'] === undefined ? [] : [schema['items']].flat()),
    ...Object.values<TSchema>(schema['patternProperties'] ?? {}),
  ];
  return [...below, ...inner.flatMap((each) => findUndescribed(each, path))];
}

function refusesUnknown(plugin: Plugin, options: unknown): boolean {
  const raw = { ...(options as object | undefined), 'no-such-option': true };
  const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };
  return checkOptions(plugin.options, raw, sources).problems.some(({ path }) => path[0] === 'no-such-option');
}

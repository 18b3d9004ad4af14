import type { YamlDocument } from './yaml-document.ts';

/** The map at the top of a document; an empty document is an empty map. */
export function topLevelMap(value: unknown): Pick<YamlDocument, 'value' | 'problems'> {
  if (value === null || value === undefined || value === '') return { value: {}, problems: [] };
  if (typeof value === 'object' && !Array.isArray(value)) {
    return { value: value as Record<string, unknown>, problems: [] };
  }
  const found = Array.isArray(value) ? 'a list' : 'a single value';
  const message = `The file holds ${found}; it must be a map from ids to definitions.`;
  return { value: undefined, problems: [{ rule: 'not-a-map', message, offset: 0 }] };
}

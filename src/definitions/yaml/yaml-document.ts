import type { PositionNode } from './position-node.ts';

/** What one file's text was read as. */
export interface YamlDocument extends YamlPlaces {
  /** The map at the top; undefined when the document was refused. */
  readonly value: Record<string, unknown> | undefined;
  readonly problems: readonly YamlProblem[];
}

export interface YamlPlaces {
  /** The keys of the top map, in the order of the text. */
  keys(): Iterable<string>;
  /** The offset of a key of the top map. */
  keyOffset(key: string): number | undefined;
  /** Where everything in one entry of the top map is. Each call searches the whole entry. */
  entryAt(key: string): PositionNode | undefined;
}

export interface YamlProblem {
  readonly rule: string;
  readonly message: string;
  readonly offset: number;
}

/** The map at the top of a document; an empty document is an empty map. */
export function topLevelMap(value: unknown): Pick<YamlDocument, 'value' | 'problems'> {
  if (value === null || value === undefined || value === '') return { value: {}, problems: [] };
  if (typeof value === 'object' && !Array.isArray(value)) {
    return { value: value as Record<string, unknown>, problems: [] };
  }
  const found = Array.isArray(value) ? 'a list' : 'a single value';
  const message = `The file holds ${found}, but must be a map from ids to definitions.`;
  return { value: undefined, problems: [{ rule: 'not-a-map', message, offset: 0 }] };
}

import type { PositionNode } from './position-node.ts';

/** One file's document, refused or read. */
export interface YamlDocument extends YamlPlaces {
  /** The map at the top; undefined when the document was refused. */
  readonly value: Record<string, unknown> | undefined;
  readonly problems: readonly YamlProblem[];
}

export interface YamlPlaces {
  /** The keys of the top map, in the order of the text. */
  keys(): Iterable<string>;
  /** Where a key of the top map stands. */
  keyOffset(key: string): number | undefined;
  /** Where everything in one entry of the top map stands. Found at each call, for as much as the entry is long. */
  entryAt(key: string): PositionNode | undefined;
}

export interface YamlProblem {
  readonly rule: string;
  readonly message: string;
  readonly offset: number;
}

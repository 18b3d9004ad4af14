import type { PositionNode } from './position-node.ts';

/** One file's document, refused or read. */
export interface YamlDocument {
  /** The map at the top; undefined when the document was refused. */
  readonly value: Record<string, unknown> | undefined;
  readonly problems: readonly YamlProblem[];
  /** Where each key of the top map stands. */
  keyOffsets(): ReadonlyMap<string, number>;
  /** Where everything stands. Built at the first call, for it costs as much as the parsing. */
  positions(): PositionNode;
}

export interface YamlProblem {
  readonly rule: string;
  readonly message: string;
  readonly offset: number;
}

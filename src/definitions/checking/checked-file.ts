import type { Problem } from '../../model/definition-changes.ts';
import type { DefinitionKind } from '../schema/definition-kinds.ts';
import type { YamlPlaces } from '../yaml/yaml-document.ts';

/** What one file's content gave. Depends on kind and content alone, so it is kept while they stay the same. */
export interface CheckedContent {
  readonly kind: DefinitionKind;
  /** Kept to find places in it again. */
  readonly text: string;
  /** What passed the schema, by id, in the order of the file. */
  readonly entries: ReadonlyMap<string, unknown>;
  /** The line of each id. */
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly ContentProblem[];
}

/** A content as it comes from the parser, whose places are at hand as long as somebody holds them. */
export interface ParsedContent {
  readonly content: CheckedContent;
  readonly places: YamlPlaces;
}

/** A problem that does not know its file's name yet. */
export interface ContentProblem {
  readonly level: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
}

/** A file as it was found: its name for people, and its content. */
export interface CheckedFile {
  readonly name: string;
  /** Counts the roots of its folder; files of a later one win. */
  readonly rootIndex: number;
  readonly content: CheckedContent;
}

/** Every file of a set of definitions, each checked on its own, in the order in which later ones win. */
export interface ReadFiles {
  readonly files: readonly CheckedFile[];
  readonly problems: readonly Problem[];
  /** Two readings with the same names and bytes have the same one. */
  readonly fingerprint: string;
  /** Of the contents that were parsed at this reading, when they are few. */
  readonly places: ReadonlyMap<CheckedContent, YamlPlaces>;
}

import type { Problem } from '../../model/definition-changes.ts';
import type { CompiledBefore } from '../compiler/unchanged-parts.ts';
import type { DefinitionKind } from '../schema/definition-kinds.ts';
import type { YamlPlaces } from '../yaml/yaml-document.ts';

/** What one file's content was read as. It depends on kind and content only, so it is kept while they stay the same. */
export interface CheckedContent {
  readonly kind: DefinitionKind;
  /** To find places in it again. */
  readonly text: string;
  /** What passed the schema, by id, in the order of the file. */
  readonly entries: ReadonlyMap<string, unknown>;
  /** The line of each id. */
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly ContentProblem[];
}

/** A content as it comes from the parser, with its places. */
export interface ParsedContent {
  readonly content: CheckedContent;
  readonly places: YamlPlaces;
}

/** A problem without the name of its file. */
export interface ContentProblem {
  readonly level: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
}

/** A file: its name as people see it, and its content. */
export interface CheckedFile {
  readonly name: string;
  /** The position of its root among the roots of its folder; files of a later root win. */
  readonly rootIndex: number;
  readonly content: CheckedContent;
}

/** Every file of a set of definitions, each checked on its own. Later files win. */
export interface ReadFiles {
  readonly files: readonly CheckedFile[];
  readonly problems: readonly Problem[];
  /** Equal for two readings with the same names and bytes. */
  readonly fingerprint: string;
  /** What the definitions that ship compile to, where the build has written it down. */
  readonly compiledBefore?: CompiledBefore | undefined;
  /** The places of the contents that were parsed at this reading, when these are few. */
  readonly places: ReadonlyMap<CheckedContent, YamlPlaces>;
}

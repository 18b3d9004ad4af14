/** The kinds of definition under which changes are listed. */
export const changeKinds = [
  'objects',
  'objectGroups',
  'deviceGroups',
  'notifications',
  'enums',
  'devices',
  'sysObjectIds',
  'networks',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Ids, sorted. */
export interface Changes {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The differences between two generations. */
export type DefinitionChanges = Readonly<Record<ChangeKind, Changes>>;

/** A problem in a definition or configuration file that a person should fix. */
export interface Problem {
  readonly level: 'error' | 'warning';
  /** Relative to the directory it was read from; lines and columns count from 1. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Kebab-case, documented in docs/errors.md. */
  readonly rule: string;
  readonly message: string;
}

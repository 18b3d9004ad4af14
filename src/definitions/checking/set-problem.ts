import type { DefinitionPath } from '../schema/raw-definitions.ts';

/** A problem of the whole set, which knows what it is about but not where that is written. */
export interface SetProblem {
  readonly level: 'error' | 'warning';
  readonly path: DefinitionPath;
  readonly rule: string;
  readonly message: string;
}

export type ReportSetProblem = (
  level: SetProblem['level'],
  path: DefinitionPath,
  rule: string,
  message: string,
) => void;

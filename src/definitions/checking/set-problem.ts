import type { DefinitionPath } from '../schema/raw-definitions.ts';

/** A problem of the set as a whole: it names the definition, not the file and line. */
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

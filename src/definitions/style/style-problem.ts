import type { DefinitionPath } from '../schema/raw-definitions.ts';
import type { StyleRule } from './style-rules.ts';

export interface StyleProblem {
  readonly level: 'warning';
  readonly rule: StyleRule;
  readonly message: string;
  readonly path: DefinitionPath;
}

export type ReportStyle = (rule: StyleRule, path: DefinitionPath, message: string) => void;

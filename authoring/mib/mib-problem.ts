/** `error`: a definition or a file is left out. `warning`: the text deviates from the rules, and its meaning is clear. */
export type ProblemLevel = 'error' | 'warning';

/** A deviation from SMIv1 (RFC 1155, 1212, 1215) or SMIv2 (RFC 2578 to 2580), with its place. */
export interface MibProblem {
  readonly level: ProblemLevel;
  /** A stable name in kebab-case, such as `unknown-type`. */
  readonly rule: string;
  readonly message: string;
  readonly file: string;
  /** Counted from 1, as the column. */
  readonly line: number;
  readonly column: number;
}

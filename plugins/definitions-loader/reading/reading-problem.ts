import { systemReasonOf } from '../../../src/kernel/index.ts';

/** Why a file or folder was not read. */
export class ReadingProblem extends Error {
  override readonly name = 'ReadingProblem';
  readonly rule: string;
  readonly line: number;

  constructor(rule: string, message: string, line = 1) {
    super(message);
    this.rule = rule;
    this.line = line;
  }

  /** Makes a problem of whatever reading threw. The problem has the path already. */
  static from(error: unknown): ReadingProblem {
    if (error instanceof ReadingProblem) return error;
    return new ReadingProblem('unreadable', `This cannot be read: ${systemReasonOf(error)}.`);
  }
}

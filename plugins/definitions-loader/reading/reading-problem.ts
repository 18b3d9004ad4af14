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

  /** Makes a problem of whatever reading threw. Of a system error it shows the code, not the path. */
  static from(error: unknown): ReadingProblem {
    if (error instanceof ReadingProblem) return error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    return new ReadingProblem(
      'unreadable',
      `This cannot be read (${code}). Check that it exists, and check its permissions.`,
    );
  }
}

/** Turns the lines of a file, in order, into varbinds of a recording. */
export interface RecordingParser {
  /** Adds a line without its line feed; the buffer is valid only during the call. Throws a `LineProblem` when it is not a varbind. */
  addLine(line: Buffer): void;
  /** Called once, after the last line. */
  finish(): void;
}

/** What is wrong with a line; the caller adds the file and the number of the line. */
export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}

/** The start of a text, quoted for an error message. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** A recording that cannot be used: the message names the file and the line, and says what to do. */
export class RecordingError extends Error {
  readonly code = 'RECORDING_INVALID';
  override readonly name = 'RecordingError';

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`);
  }
}

/** Turns the lines of one file, in order, into varbinds of a recording. `addLine` throws the problem of the line as text. */
export interface RecordingParser {
  /** A line without its line feed; the buffer is only lent. Throws `LineProblem` when it is no varbind. */
  addLine(line: Buffer): void;
  /** Called once, after the last line. */
  finish(): void;
}

/** What is wrong with a line; whoever knows the file and the number of the line adds them. */
export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}

/** The text that a message may show of what it complains about. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

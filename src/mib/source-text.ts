import type { MibProblem, ProblemLevel } from './mib-problem.ts';

/** A file of one or more modules. Positions are offsets into its text until a person asks for line and column. */
export class SourceText {
  readonly path: string;
  readonly text: string;
  readonly problems: MibProblem[] = [];
  #problemCount = 0;
  #lineStarts: readonly number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  report(level: ProblemLevel, rule: string, message: string, offset: number): void {
    this.#problemCount++;
    if (this.#problemCount > maxProblems + 1) return;
    const where = { file: this.path, ...this.locate(offset) };
    if (this.#problemCount <= maxProblems) this.problems.push({ level, rule, message, ...where });
    else {
      const limit = `The file has more than ${maxProblems} problems. The others are not listed.`;
      this.problems.push({ level: 'warning', rule: 'too-many-problems', message: limit, ...where });
    }
  }

  /** Line and column of an offset, both counted from 1. */
  locate(offset: number): { readonly line: number; readonly column: number } {
    this.#lineStarts ??= findLineStarts(this.text);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#lineStarts[low]! + 1 };
  }
}

/** A damaged file can have a problem in every line, and nobody reads more. */
const maxProblems = 1_000;

/** Lines end with LF, CRLF or, in old files, CR alone. */
function findLineStarts(text: string): number[] {
  const starts = [0];
  const ends = /\r\n?|\n/g;
  while (ends.exec(text) !== null) starts.push(ends.lastIndex);
  return starts;
}

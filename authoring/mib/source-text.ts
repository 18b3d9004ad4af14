import type { MibProblem, ProblemLevel } from './mib-problem.ts';

/** A file of one or more modules. Positions are offsets into its text until a person asks for line and column. */
export class SourceText {
  readonly path: string;
  readonly text: string;
  readonly problems: MibProblem[] = [];
  readonly #counts: Record<ProblemLevel, number> = { error: 0, warning: 0 };
  #lineStarts: Uint32Array | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** Whether further warnings are not listed, so that nobody needs to write their messages. */
  get isFull(): boolean {
    return this.#counts.warning > maxProblems;
  }

  report(level: ProblemLevel, rule: string, message: string, offset: number): void {
    const count = ++this.#counts[level];
    if (count > maxProblems + 1) return;
    const where = { file: this.path, ...this.locate(offset) };
    if (count <= maxProblems) this.problems.push({ level, rule, message: shorten(message), ...where });
    else {
      const limit = `The file has more than ${maxProblems} problems of this level. The others are not listed.`;
      this.problems.push({ level, rule: 'too-many-problems', message: limit, ...where });
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

/** Of each level. A damaged file can have a problem in every line, and nobody reads more. */
const maxProblems = 1_000;

/** A name in the message may be as long as the file: its middle is left out. */
function shorten(message: string): string {
  const { length } = message;
  return length <= 2 * shownPart ? message : `${message.slice(0, shownPart)}…${message.slice(-shownPart)}`;
}

const shownPart = 200;

/** Lines end with LF, CRLF or, in old files, CR alone. */
function findLineStarts(text: string): Uint32Array {
  let count = 1;
  for (let at = 0; at < text.length; at++) if (isLineEnd(text, at)) count++;
  const starts = new Uint32Array(count);
  for (let at = 0, line = 1; at < text.length; at++) if (isLineEnd(text, at)) starts[line++] = at + 1;
  return starts;
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
}

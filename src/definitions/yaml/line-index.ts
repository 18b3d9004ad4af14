/** Lines and columns of a text, counted from 1. Finds the line ends once, when they are first needed. */
export class LineIndex {
  readonly #text: string;
  #ends: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get count(): number {
    return this.#lineEnds().length + 1;
  }

  at(offset: number): { readonly line: number; readonly column: number } {
    const ends = this.#lineEnds();
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    const lineStart = low === 0 ? 0 : ends[low - 1]! + 1;
    return { line: low + 1, column: Math.max(offset, 0) - lineStart + 1 };
  }

  #lineEnds(): readonly number[] {
    this.#ends ??= findLineEnds(this.#text);
    return this.#ends;
  }
}

function findLineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) ends.push(end);
  return ends;
}

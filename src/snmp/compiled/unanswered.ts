import type { Oid } from '../../model/oid.ts';
import { decodeOid } from '../codec/oid-bytes.ts';
import type { CompiledRequest } from './compiled-request.ts';

/** Requests without an answer that one poll waits for while it looks for what has none. */
const maxWaits = 6;
/** When this many columns of a request stay without an answer and none has one, the others are not asked. */
const maxInVain = 2;
/** Fewer instances than this are asked for one by one. */
const maxSingles = 16;

/** The columns of a request that was not answered. */
interface Candidates {
  readonly columns: readonly Oid[];
  inVain: number;
  hasAnswered: boolean;
}

/** What a request of the search is for. */
type Step =
  | { readonly kind: 'column'; readonly candidates: Candidates }
  /** Some instances of a column that was not answered: whether it is the whole column. */
  | { readonly kind: 'probe'; readonly column: CompiledRequest; readonly isLast: boolean }
  /** Some instances of a column of which others are answered. */
  | { readonly kind: 'range' };

/**
 * Finds what a device does not answer for: asks for each column of an unanswered request on its own, and, when only some instances of a
 * column are silent, for smaller and smaller parts of it. When too many requests stay without an answer, the whole column counts as silent.
 */
export class Unanswered {
  /** The next requests. */
  readonly #parts: CompiledRequest[] = [];
  readonly #steps = new Map<CompiledRequest, Step>();
  /** Columns without an answer, until the other columns of their request were asked for. */
  #columns: { readonly part: CompiledRequest; readonly candidates: Candidates }[] = [];
  readonly #learn: (oid: Oid) => void;
  #waits = 0;

  /** @param learn called for each column and instance that the device does not answer for */
  constructor(learn: (oid: Oid) => void) {
    this.#learn = learn;
  }

  get mayWait(): boolean {
    return this.#waits < maxWaits;
  }

  /** Whether this request repeats what was already waited for, so that one repetition is enough. */
  isBrief(request: CompiledRequest): boolean {
    const kind = this.#steps.get(request)?.kind;
    return kind === 'probe' || kind === 'range';
  }

  /** The device is alive, but did not answer this request from varbind `index` on. */
  add(request: CompiledRequest, index: number): void {
    this.#waits++;
    const step = this.#steps.get(request);
    if (step === undefined) this.#splitColumns(request, index);
    else if (step.kind === 'column') this.#onSilentColumn(request, step.candidates, index);
    else if (step.kind === 'probe') this.#onSilentProbe(step);
    else if (request.count === 1) this.#learn(decodeOid(request.oid(0))!);
    else this.#splitRange(request, index);
    if (!this.mayWait) this.#giveUp();
  }

  /** Columns without an answer that were not looked into count as silent. */
  #giveUp(): void {
    for (const { part } of this.#columns) this.#learn(part.columns[0]!);
    for (const part of this.#parts) {
      const step = this.#steps.get(part);
      if (step?.kind === 'probe') this.#learn(step.column.columns[0]!);
    }
    this.clear();
  }

  recordAnswer(request: CompiledRequest): void {
    const step = this.#steps.get(request);
    if (step?.kind === 'column') step.candidates.hasAnswered = true;
    if (step?.kind === 'probe') this.#splitRange(step.column, 0);
  }

  next(): CompiledRequest | undefined {
    if (this.#parts.length === 0) this.#probeColumns();
    return this.#parts.shift();
  }

  clear(): void {
    this.#parts.length = 0;
    this.#columns = [];
  }

  #push(part: CompiledRequest, step: Step): void {
    if (part.count === 0) return;
    this.#parts.push(part);
    this.#steps.set(part, step);
  }

  #splitColumns(request: CompiledRequest, index: number): void {
    const candidates: Candidates = { columns: request.columns, inVain: 0, hasAnswered: index > 0 };
    for (let own = 0; own < request.columns.length; own++) {
      const part = request.select((i, column) => column === own && i >= index);
      this.#push(part, { kind: 'column', candidates });
    }
  }

  #onSilentColumn(part: CompiledRequest, candidates: Candidates, index: number): void {
    if (index > 0) {
      this.#splitRange(part, index);
      return;
    }
    this.#columns.push({ part, candidates });
    if (++candidates.inVain < maxInVain || candidates.hasAnswered) return;
    for (const column of candidates.columns) this.#learn(column);
    this.#columns = this.#columns.filter((each) => each.candidates !== candidates);
    const others = this.#parts.filter((other) => {
      const step = this.#steps.get(other);
      return step?.kind !== 'column' || step.candidates !== candidates;
    });
    this.#parts.splice(0, this.#parts.length, ...others);
  }

  /** Asks for the first and the last instance of each column that was not answered. */
  #probeColumns(): void {
    for (const { part } of this.#columns) {
      if (part.count === 1) this.#learn(part.columns[0]!);
      else {
        const last = part.count === 2 ? 0 : part.count - 1;
        const probe = part.select((i) => i === 0 || i === last);
        this.#push(probe, { kind: 'probe', column: part, isLast: false });
      }
    }
    this.#columns = [];
  }

  #onSilentProbe({ column, isLast }: Extract<Step, { kind: 'probe' }>): void {
    if (isLast || !this.mayWait) {
      this.#learn(column.columns[0]!);
      return;
    }
    const middle = column.count >> 1;
    this.#push(
      column.select((i) => i === middle),
      { kind: 'probe', column, isLast: true },
    );
  }

  #splitRange(range: CompiledRequest, index: number): void {
    const count = range.count - index;
    const size = count <= maxSingles ? 1 : Math.ceil(Math.sqrt(count));
    for (let from = index; from < range.count; from += size) {
      this.#push(
        range.select((i) => i >= from && i < from + size),
        { kind: 'range' },
      );
    }
  }
}

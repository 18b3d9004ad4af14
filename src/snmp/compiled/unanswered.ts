import type { Oid } from '../../model/oid.ts';
import type { CompiledRequest } from './compiled-request.ts';

/** Requests without an answer that one poll waits for while it looks for the columns that have none. */
const maxWaits = 6;
/** When this many columns of a request stay without an answer and none has one, the others are not asked. */
const maxInVain = 2;

/** The columns of a request that was not answered. */
interface Candidates {
  readonly columns: readonly Oid[];
  inVain: number;
  hasAnswered: boolean;
}

/** Finds the columns that a device does not answer for, by asking for each column of an unanswered request on its own. */
export class Unanswered {
  /** The next requests, each for one column. */
  readonly #parts: CompiledRequest[] = [];
  readonly #candidates = new Map<CompiledRequest, Candidates>();
  readonly #learn: (column: Oid) => void;
  #waits = 0;

  constructor(learn: (column: Oid) => void) {
    this.#learn = learn;
  }

  get mayWait(): boolean {
    return this.#waits < maxWaits;
  }

  /** The device is alive, but did not answer this request from varbind `index` on. */
  add(request: CompiledRequest, index: number): void {
    this.#waits++;
    const candidates = this.#candidates.get(request);
    if (candidates === undefined) this.#split(request, index);
    else this.#recordSilence(request, candidates);
    if (!this.mayWait) this.clear();
  }

  recordAnswer(request: CompiledRequest): void {
    const candidates = this.#candidates.get(request);
    if (candidates !== undefined) candidates.hasAnswered = true;
  }

  next(): CompiledRequest | undefined {
    return this.#parts.shift();
  }

  clear(): void {
    this.#parts.length = 0;
  }

  #split(request: CompiledRequest, index: number): void {
    const candidates: Candidates = { columns: request.columns, inVain: 0, hasAnswered: index > 0 };
    for (let own = 0; own < request.columns.length; own++) {
      const part = request.select((i, column) => column === own && i >= index);
      if (part.count === 0) continue;
      this.#parts.push(part);
      this.#candidates.set(part, candidates);
    }
  }

  #recordSilence(part: CompiledRequest, candidates: Candidates): void {
    this.#learn(part.columns[0]!);
    if (++candidates.inVain < maxInVain || candidates.hasAnswered) return;
    for (const column of candidates.columns) this.#learn(column);
    const others = this.#parts.filter((other) => this.#candidates.get(other) !== candidates);
    this.#parts.splice(0, this.#parts.length, ...others);
  }
}

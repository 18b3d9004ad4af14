import type { Oid } from '../../model/oid.ts';
import { orderKey } from './order-key.ts';

/** Something that a device may have: it does when one of the columns has an instance. */
export interface Candidate {
  readonly id: string;
  /** In ascending order. */
  readonly columns: readonly Column[];
}

export interface Column {
  readonly oid: Oid;
  /** Of `orderKey`. */
  readonly key: string;
}

/** Up to so many candidates are asked for one by one; of more, those are not asked that earlier answers already decide. */
const maxAskedEach = 500;

/** A candidate of which it is not known yet whether the device has it. */
interface Open {
  readonly candidate: Candidate;
  /** The first column that may have instances. */
  at: number;
}

/**
 * Finds which candidates a device has, by GETNEXT. It says what to ask next, and is told the answers. An answer beyond a column shows
 * that the column has no instance. Among many candidates, one answer decides about all between the OID that was asked and the
 * answer, so that what a device lacks costs almost nothing. An agent that contradicts itself is not trusted so far: then each
 * candidate is asked for.
 */
export class PresenceSearch {
  /** By id: the first column that has an instance. */
  readonly present = new Map<string, Oid>();
  /** Those that the device did not answer for at all. */
  readonly unknown = new Set<string>();
  /** The OIDs that came as answers. */
  readonly seen = new Map<string, Oid>();
  #open: Open[];
  #infers: boolean;
  #isContradicted = false;
  /** By the key that was asked, in ascending order: the key of the answer, or undefined at the end of the MIB. */
  #gaps: { readonly from: string; readonly to: string | undefined }[] = [];
  /** Decided by the answers to others. */
  readonly #inferred: Open[] = [];

  /**
   * @param candidates in any order
   * @param earlier a search of the same device for something else: what it inferred from is used again
   */
  constructor(candidates: Iterable<Candidate>, earlier?: PresenceSearch) {
    this.#open = Array.from(candidates, (candidate) => ({ candidate, at: 0 }))
      .filter(({ candidate }) => candidate.columns.length > 0)
      .sort((a, b) => (a.candidate.columns[0]!.key < b.candidate.columns[0]!.key ? -1 : 1));
    this.#infers = this.#open.length > maxAskedEach;
    if (earlier === undefined || !earlier.#infers) return;
    this.#gaps = [...earlier.#gaps];
    for (const [key, oid] of earlier.seen) this.seen.set(key, oid);
    this.#infers = true;
    this.#open = this.#open.filter((open) => this.#decide(open, ''));
  }

  get isDone(): boolean {
    return this.#open.length === 0;
  }

  /** What to ask by GETNEXT now, at most so many OIDs. */
  next(most: number): Oid[] {
    const open = this.#open;
    const picked = new Set<Open>();
    if (!this.#infers || open.length <= most) for (const each of open.slice(0, most)) picked.add(each);
    // Evenly spread, so that one answer decides about as many others as possible.
    else for (let i = 0; i < most; i++) picked.add(open[Math.floor((i * open.length) / most)]!);
    return Array.from(picked, ({ candidate, at }) => candidate.columns[at]!.oid);
  }

  /** @param answer the OID that follows; undefined at the end of the MIB */
  tell(asked: Oid, answer: Oid | undefined): void {
    const from = orderKey(asked);
    const to = answer === undefined ? undefined : orderKey(answer);
    if (to !== undefined && answer !== undefined) this.seen.set(to, answer);
    this.#isContradicted ||= this.#contradicts(from, to);
    if (this.#infers && this.#isContradicted) this.#stopInferring();
    this.#remember(from, to);
    this.#open = this.#open.filter((open) =>
      this.#infers
        ? this.#decide(open, asked)
        : open.candidate.columns[open.at]!.oid !== asked || this.#advance(open, to),
    );
  }

  /** From now on, answers decide about other candidates too, however few these are: for a device whose answers fill packets. */
  infer(): void {
    if (this.#infers || this.#isContradicted) return;
    this.#infers = true;
    this.#open = this.#open.filter((open) => this.#decide(open, ''));
  }

  /** The device does not answer for this OID. */
  giveUp(asked: Oid): void {
    this.#open = this.#open.filter(({ candidate, at }) => {
      if (candidate.columns[at]!.oid !== asked) return true;
      this.unknown.add(candidate.id);
      return false;
    });
  }

  /** The device answers nothing more. */
  giveUpRest(): void {
    for (const { candidate } of this.#open) this.unknown.add(candidate.id);
    this.#open = [];
  }

  /** Whether it is still open after all that is known. */
  #decide(open: Open, asked: Oid): boolean {
    const own = open.candidate.columns[open.at]!.oid === asked;
    for (;;) {
      const gap = this.#findGap(open.candidate.columns[open.at]!.key);
      if (gap === undefined) return true;
      if (this.#advance(open, gap.to)) continue;
      if (!own && !this.present.has(open.candidate.id)) this.#inferred.push(open);
      return false;
    }
  }

  /** Uses the answer to the current column. Returns whether the candidate is still open. */
  #advance(open: Open, to: string | undefined): boolean {
    const { columns, id } = open.candidate;
    if (to !== undefined) {
      for (; open.at < columns.length; open.at++) {
        const { key, oid } = columns[open.at]!;
        if (to.startsWith(key) && to.length > key.length) {
          this.present.set(id, oid);
          return false;
        }
        if (key > to) return true;
      }
    }
    open.at = 0;
    return false;
  }

  /** The answer to a key that was not asked, where it follows from that to the one before. */
  #findGap(key: string): { readonly to: string | undefined } | undefined {
    let low = 0;
    let high = this.#gaps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#gaps[middle]!.from <= key) low = middle + 1;
      else high = middle;
    }
    const gap = this.#gaps[low - 1];
    return gap !== undefined && (gap.to === undefined || gap.to > key) ? gap : undefined;
  }

  #remember(from: string, to: string | undefined): void {
    const after = this.#gaps.findIndex((gap) => gap.from > from);
    this.#gaps.splice(after < 0 ? this.#gaps.length : after, 0, { from, to });
  }

  /** Whether the agent said before that there is something in this gap, or that there is nothing where the answer is. */
  #contradicts(from: string, to: string | undefined): boolean {
    for (const key of this.seen.keys()) if (key > from && (to === undefined || key < to)) return true;
    if (to === undefined) return false;
    return this.#gaps.some((gap) => gap.from < to && (gap.to === undefined || gap.to > to));
  }

  #stopInferring(): void {
    this.#infers = false;
    this.#open = [...this.#open, ...this.#inferred.splice(0)];
  }
}

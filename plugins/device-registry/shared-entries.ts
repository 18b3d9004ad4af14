import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../src/sharding/index.ts';
import type { JournalWriter } from '../../src/storage/index.ts';

export interface SharedEntriesParts {
  readonly fleet: Fleet;
  /** The beginning of the keys in the store of the cluster. */
  readonly prefix: string;
  /** Keeps the entries of this member, and `values` is what it has kept. */
  readonly journal: JournalWriter;
  readonly values: ReadonlyMap<string, unknown>;
  /** Keeps a mark for each entry, and `known` is what it has kept. */
  readonly marks: JournalWriter;
  readonly known: ReadonlyMap<string, unknown>;
  /** Takes over an entry of another member; undefined when it was removed. */
  readonly take: (key: string, value: unknown) => void;
  readonly onProblem: (error: unknown) => void;
}

const retryMs = 1_000;
const maxAtOnce = 32;
/** An entry is safe in the state directory of this member, so a caller need not wait for the cluster any longer. */
const settleWithinMs = 2_000;

/**
 * Entries that all members of a cluster have. Each member keeps them in its state directory too, so that it has them while the store
 * cannot be reached. An entry's mark says what the store has: its data by identity, or that a change is still to be shared.
 */
export class SharedEntries implements JournalWriter {
  readonly #parts: SharedEntriesParts;
  readonly #entries: Map<string, string>;
  readonly #marks: Map<string, unknown>;
  /** Changes that the store has not acknowledged: a text, or undefined for a removal. */
  readonly #pending = new Map<string, string | undefined>();
  #isTaking = false;
  #isClosed = false;
  #flushing: Promise<void> | undefined;
  readonly #leave: readonly (() => void)[];

  constructor(parts: SharedEntriesParts) {
    this.#parts = parts;
    this.#entries = new Map(Array.from(parts.values, ([key, value]) => [key, JSON.stringify(value)]));
    this.#marks = new Map(parts.known);
    for (const [key, mark] of this.#marks) {
      if (mark === marks.changed && this.#entries.has(key)) this.#pending.set(key, this.#entries.get(key));
      if (mark === marks.removed) this.#pending.set(key, undefined);
    }
    const { fleet, prefix } = parts;
    this.#leave = [
      fleet.onSnapshot(() => this.#compare()),
      fleet.onShared(prefix, (key, text) => this.#take(key.slice(prefix.length), text)),
    ];
  }

  set(key: string, value: unknown): void {
    this.#parts.journal.set(key, value);
    this.#change(key, JSON.stringify(value));
  }

  delete(key: string): void {
    this.#parts.journal.delete(key);
    this.#change(key, undefined);
  }

  compactIfWasteful(values: Parameters<JournalWriter['compactIfWasteful']>[0]): void {
    this.#parts.journal.compactIfWasteful(values);
  }

  /** Resolves when the store has every change, or when it does not answer. */
  async settled(): Promise<void> {
    const ending = new AbortController();
    const patience = sleep(settleWithinMs, undefined, { signal: ending.signal }).catch(() => {});
    await Promise.race([this.#flushing, patience]);
    ending.abort();
  }

  close(): void {
    this.#isClosed = true;
    for (const leave of this.#leave) leave();
  }

  #change(key: string, text: string | undefined): void {
    const isSame = this.#entries.get(key) === text;
    if (text === undefined) this.#entries.delete(key);
    else this.#entries.set(key, text);
    if (this.#isTaking || isSame) return;
    this.#pending.set(key, text);
    this.#mark(key, text === undefined ? marks.removed : marks.changed);
    this.#flush();
  }

  /** What the store says about every entry. */
  #compare(): void {
    const { fleet, prefix } = this.#parts;
    for (const [path, text] of fleet.shared)
      if (path.startsWith(prefix)) this.#take(path.slice(prefix.length), text);
    for (const [key, text] of [...this.#entries]) {
      if (fleet.shared.has(prefix + key) || this.#pending.has(key)) continue;
      // The same data without the entry: another member removed it. Other data never had it.
      if (this.#marks.get(key) === fleet.identity) this.#take(key, undefined);
      else this.#pending.set(key, text);
    }
    this.#flush();
  }

  #take(key: string, text: string | undefined): void {
    // A store that this member does not use says nothing about its entries.
    if (this.#pending.has(key) || this.#parts.fleet.identity === undefined) return;
    this.#mark(key, text === undefined ? undefined : this.#parts.fleet.identity);
    if (this.#entries.get(key) === text) return;
    this.#isTaking = true;
    try {
      this.#parts.take(key, text === undefined ? undefined : JSON.parse(text));
      if (text === undefined) this.#entries.delete(key);
      else this.#entries.set(key, text);
    } catch (error) {
      this.#parts.onProblem(error);
    } finally {
      this.#isTaking = false;
    }
  }

  #mark(key: string, mark: string | undefined): void {
    if (this.#marks.get(key) === mark) return;
    if (mark === undefined) {
      this.#marks.delete(key);
      this.#parts.marks.delete(key);
    } else {
      this.#marks.set(key, mark);
      this.#parts.marks.set(key, mark);
    }
  }

  #flush(): void {
    this.#flushing ??= this.#shareAll().finally(() => {
      this.#flushing = undefined;
    });
  }

  /** Repeats until the store has everything: it may be unreachable for hours. */
  async #shareAll(): Promise<void> {
    const { fleet, prefix } = this.#parts;
    while (this.#pending.size > 0 && !this.#isClosed) {
      const shareOne = async ([key, text]: readonly [string, string | undefined]) => {
        await fleet.share(prefix + key, text);
        if (this.#pending.get(key) !== text) return;
        this.#pending.delete(key);
        this.#mark(key, text === undefined ? undefined : fleet.identity);
      };
      // Before the first snapshot it is not known which data the store has.
      const isReady = fleet.identity !== undefined;
      const batch = isReady ? [...this.#pending].slice(0, maxAtOnce) : [];
      const results = await Promise.allSettled(batch.map(shareOne));
      if (!isReady || results.some(({ status }) => status === 'rejected'))
        await sleep(retryMs, undefined, { ref: false });
    }
  }
}

/** Identities of data have another form. */
const marks = { changed: 'changed', removed: 'removed' } as const;

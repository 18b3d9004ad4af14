import { join } from 'node:path';
import type { FileSystem } from '../../../src/storage/index.ts';
import { unfinished } from '../unfinished.ts';
import { type TierName, tierNames } from './tier-names.ts';

/** A finished file of a tier. Its name says everything, so that nothing has to be read at start. */
export interface TierEntry {
  readonly tier: TierName;
  /** The numbers of the first and the last recent file that are in it. */
  readonly first: number;
  readonly last: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly path: string;
  readonly bytes: number;
}

export type NewEntry = Omit<TierEntry, 'path' | 'bytes'>;

const filePattern = /^(polled|five_minutes|hours)-(\d{9})-(\d{9})-(\d+)-(\d+)\.blocks$/;
const recentPattern = /^recent-(\d{9})$/;

/** The files of the history: which there are, what they are called, and which are removed first. */
export class TierFolder {
  readonly directory: string;
  readonly files: FileSystem;
  readonly #entries: Record<TierName, TierEntry[]> = { polled: [], five_minutes: [], hours: [] };

  constructor(directory: string, files: FileSystem) {
    this.directory = directory;
    this.files = files;
    files.makeDirectory(directory);
    for (const name of files.list(directory)) {
      if (name.endsWith(unfinished)) files.remove(join(directory, name));
      const entry = parseName(name);
      if (entry === undefined) continue;
      const path = join(directory, name);
      this.#entries[entry.tier].push({ ...entry, path, bytes: sizeOf(files, path) });
    }
    for (const tier of tierNames) this.#sort(tier);
    this.#removeMerged();
    this.#removeUnfinished();
  }

  /** The numbers of the files with recent polls, ascending. */
  listRecent(): number[] {
    return this.files
      .list(this.directory)
      .flatMap((name) => recentPattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  recentPath(number: number): string {
    return join(this.directory, `recent-${pad(number)}`);
  }

  /** The oldest first. */
  list(tier: TierName): readonly TierEntry[] {
    return this.#entries[tier];
  }

  bytes(tier: TierName): number {
    return this.#entries[tier].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  unfinishedPath(tier: TierName, number: number): string {
    return join(this.directory, `${tier}-${pad(number)}${unfinished}`);
  }

  /** Gives a complete file its name. */
  add(entry: NewEntry, unfinishedPath: string): void {
    const { tier, first, last, fromMs, toMs } = entry;
    const name = `${tier}-${pad(first)}-${pad(last)}-${Math.round(fromMs)}-${Math.round(toMs)}.blocks`;
    const path = join(this.directory, name);
    const bytes = sizeOf(this.files, unfinishedPath);
    this.files.rename(unfinishedPath, path);
    this.#entries[tier] = this.#entries[tier].filter((each) => each.path !== path);
    this.#entries[tier].push({ ...entry, path, bytes });
    this.#sort(tier);
  }

  remove(entry: TierEntry): void {
    this.#entries[entry.tier] = this.#entries[entry.tier].filter((each) => each !== entry);
    this.files.remove(entry.path);
  }

  #sort(tier: TierName): void {
    this.#entries[tier].sort((a, b) => a.fromMs - b.fromMs || a.first - b.first);
  }

  /** A process that ended during a merge leaves the files that were merged. */
  #removeMerged(): void {
    const all = this.#entries.five_minutes;
    const merged = all.filter(({ first, last }) => first < last);
    for (const entry of all) {
      const isMerged = merged.some(
        (other) => other !== entry && other.first <= entry.first && entry.last <= other.last,
      );
      if (isMerged) this.remove(entry);
    }
  }

  /**
   * A process that ended between the names of two files leaves the coarser one alone. What it holds is still to be sorted or merged, and
   * would count twice.
   */
  #removeUnfinished(): void {
    const sorted = new Set(this.#entries.polled.map(({ last }) => last));
    const unsorted = this.listRecent().filter((number) => !sorted.has(number));
    for (const entry of this.#entries.five_minutes) {
      if (entry.first === entry.last && unsorted.includes(entry.first)) this.remove(entry);
    }
    const unmerged = this.#entries.five_minutes.filter(({ first, last }) => first === last);
    for (const entry of this.#entries.hours) {
      if (unmerged.some(({ first }) => entry.first <= first && first <= entry.last)) this.remove(entry);
    }
  }
}

function parseName(name: string): NewEntry | undefined {
  const [, tier, first, last, fromMs, toMs] = filePattern.exec(name) ?? [];
  if (tier === undefined) return undefined;
  return {
    tier: tier as TierName,
    first: Number(first),
    last: Number(last),
    fromMs: Number(fromMs),
    toMs: Number(toMs),
  };
}

export function sizeOf(files: FileSystem, path: string): number {
  const descriptor = files.open(path, 'read');
  try {
    return files.size(descriptor);
  } finally {
    files.close(descriptor);
  }
}

function pad(number: number): string {
  return String(number).padStart(9, '0');
}

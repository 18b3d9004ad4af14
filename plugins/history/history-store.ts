import { type Batch, BatchFault } from '../../src/index.ts';
import { systemReasonOf } from '../../src/kernel/index.ts';
import { type FileSystem, isDiskFull, nodeFileSystem } from '../../src/storage/index.ts';
import { SliceTurns } from '../../src/timing/index.ts';
import { streamCount } from './chunk/block.ts';
import { FileFindings } from './file-findings.ts';
import type { HistorySettings } from './history-settings.ts';
import { RecentFile } from './recent/recent-file.ts';
import { SortedFile } from './recent/sorted-file.ts';
import { compactRecent, mergeMinutes } from './tiers/compact.ts';
import { TierFile, type TierFileWriter, type TierIndex } from './tiers/tier-file.ts';
import { sizeOf, type TierEntry, TierFolder } from './tiers/tier-folder.ts';
import { type TierName, tierNames } from './tiers/tier-names.ts';
import { writeFiles } from './tiers/write-files.ts';

/** Recent polls are sorted after each hour. */
const recentMs = 3_600_000;
const pendingBytes = 1 << 20;
const maxPendingBytes = 16 << 20;
/** So many files of five-minute spans are merged to one. */
const mergeFiles = 24;
const maxRecentBytes = 256 << 20;

/** How much a tier holds, and how far back it reaches. */
export interface TierState {
  readonly bytes: number;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Takes batches, sorts them into tiers, and removes what exceeds the limits. */
export class HistoryStore {
  /** All that reads or sorts files takes these turns, so that polls wait for no more than one slice. */
  readonly turns: SliceTurns;
  readonly #settings: HistorySettings;
  readonly #files: FileSystem;
  readonly #folder: TierFolder;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  readonly #findings: FileFindings;
  /** By path, of the files that were read. */
  readonly #indexes = new Map<string, TierIndex>();
  /** Polls that are not sorted yet, the oldest first; the last file is being written. */
  readonly #recent: { readonly number: number; readonly file: RecentFile }[];
  #sorted: SortedFile | undefined;
  #sorting: Promise<void> = Promise.resolve();
  #rotateMs: number;
  #timer: NodeJS.Timeout;
  #isFailing = false;
  #lostBatches = 0;
  #droppedFiles = 0;
  #values = 0;

  private constructor(
    settings: HistorySettings,
    folder: TierFolder,
    opened: { readonly number: number; readonly file: RecentFile }[],
    sorted: SortedFile | undefined,
  ) {
    this.turns = settings.turns ?? new SliceTurns();
    this.#settings = settings;
    this.#findings = new FileFindings(settings.log);
    this.#files = settings.files ?? nodeFileSystem;
    this.#folder = folder;
    this.#now = settings.now ?? Date.now;
    this.#recent = opened;
    this.#sorted = sorted;
    this.#rotateMs = nextRotation(this.#now());
    this.#timer = setInterval(() => this.#tick(), settings.flushMs).unref();
    if (this.#recent.length === 0) this.#begin();
    const { fromMs } = this.#current;
    if (nextRotation(fromMs) <= this.#now()) this.#rotate();
    else this.#sortLater();
  }

  /** Opens the history that an earlier process left, or a new one. Throws when the directory cannot be used. */
  static async open(settings: HistorySettings): Promise<HistoryStore> {
    const files = settings.files ?? nodeFileSystem;
    const folder = new TierFolder(settings.directory, files);
    const opened: { number: number; file: RecentFile }[] = [];
    const unreadable = new Map<string, BatchFault | undefined>();
    const done = new Set(folder.list('polled').map(({ last }) => last));
    let sorted: SortedFile | undefined;
    for (const number of folder.listRecent()) {
      const path = folder.recentPath(number);
      const size = sizeOf(files, path);
      if (done.has(number)) {
        sorted?.remove();
        sorted = SortedFile.at(files, number, path, size);
        continue;
      }
      try {
        const file = await RecentFile.open(files, path);
        if (file === undefined) files.remove(path);
        else opened.push({ number, file });
        if (file === undefined || file.damaged > 0) unreadable.set(path, undefined);
      } catch (error) {
        if (!(error instanceof BatchFault)) throw error;
        unreadable.set(path, error);
      }
    }
    const store = new HistoryStore(settings, folder, opened, sorted);
    for (const [path, error] of unreadable) store.reportDamage(path, error);
    return store;
  }

  /** Values that were taken since the start. */
  get values(): number {
    return this.#values;
  }

  get lostBatches(): number {
    return this.#lostBatches;
  }

  /** Files that were removed because the disk was full. */
  get droppedFiles(): number {
    return this.#droppedFiles;
  }

  get damagedFiles(): readonly string[] {
    return [...this.#findings.damaged];
  }

  get newerFiles(): readonly string[] {
    return [...this.#findings.newer];
  }

  tier(tier: TierName): TierState {
    const entries = this.#folder.list(tier);
    const recent = tier === 'polled' ? this.#recent : [];
    const times = [...entries, ...recent.map(({ file }) => file)].filter(({ toMs }) => toMs > 0);
    return {
      bytes: this.#folder.bytes(tier) + this.#recentBytes(tier),
      fromMs: times.length === 0 ? undefined : Math.min(...times.map(({ fromMs }) => fromMs)),
      toMs: times.length === 0 ? undefined : Math.max(...times.map(({ toMs }) => toMs)),
    };
  }

  /** The files of a tier, the oldest first. */
  entries(tier: TierName): readonly TierEntry[] {
    return this.#folder.list(tier);
  }

  /** The files with polls that are in no tier yet, the oldest first. */
  recentFiles(): readonly RecentFile[] {
    return this.#recent.map(({ file }) => file);
  }

  openFile = ({ path, tier }: Pick<TierEntry, 'path' | 'tier'>): Promise<TierFile> =>
    TierFile.open(path, {
      files: this.#files,
      streams: tier === 'polled' ? 1 : streamCount,
      indexes: this.#indexes,
      turns: this.turns,
      onDamage: this.reportDamage,
    });

  /** Removes a file, also one that somebody else has removed. */
  forget(entry: TierEntry): void {
    this.#folder.remove(entry);
    this.#indexes.delete(entry.path);
  }

  /** Names a file that is damaged, cannot be read or is of a newer version, once. `error` says why. */
  readonly reportDamage = (path: string, error?: unknown): void => this.#findings.report(path, error);

  take(batches: readonly Batch[]): void {
    if (this.#now() >= this.#rotateMs) this.#rotate();
    for (const batch of batches) {
      if (
        this.#isFailing &&
        this.#current.pendingBytes > (this.#settings.maxPendingBytes ?? maxPendingBytes)
      ) {
        this.#lostBatches++;
        continue;
      }
      const before = this.#current.values;
      this.#current.append(batch);
      this.#values += this.#current.values - before;
    }
    if (this.#current.pendingBytes > pendingBytes) this.flush();
    if (this.#current.bytes >= (this.#settings.maxRecentBytes ?? maxRecentBytes)) this.#rotate();
  }

  /** Gives everything to the operating system. A full disk gets room by removing the oldest file. */
  flush(): boolean {
    try {
      this.#withRoom(() => this.#current.flush());
      this.#isFailing = false;
      return true;
    } catch (error) {
      this.#reportFailure(error);
      return false;
    }
  }

  /** Sorts what there is. For tests and measurements: the store does it by itself after each hour. */
  async sort(): Promise<void> {
    this.#rotate();
    await this.#sorting;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#sorting;
    if (this.flush()) await this.#current.sync().catch((error: unknown) => this.#reportFailure(error));
    for (const { file } of this.#recent) file.close();
    this.#sorted?.close();
  }

  get #current(): RecentFile {
    return this.#recent.at(-1)!.file;
  }

  #recentBytes(tier: TierName): number {
    if (tier !== 'polled') return 0;
    return this.#recent.reduce((sum, { file }) => sum + file.bytes, this.#sorted?.bytes ?? 0);
  }

  #tick(): void {
    if (this.flush()) void this.#current.sync().catch((error: unknown) => this.#reportFailure(error));
    if (this.#now() >= this.#rotateMs) this.#rotate();
    this.#keepLimits();
  }

  #begin(): void {
    const number = 1 + this.#lastNumber();
    const file = this.#withRoom(() => RecentFile.create(this.#files, this.#folder.recentPath(number)));
    this.#recent.push({ number, file });
  }

  #lastNumber(): number {
    const sorted = tierNames.flatMap((tier) => this.#folder.list(tier).map(({ last }) => last));
    return Math.max(0, ...sorted, ...this.#folder.listRecent());
  }

  /** Begins a new file, and sorts those before it. */
  #rotate(): void {
    this.#rotateMs = nextRotation(this.#now());
    if (this.#current.toMs > 0 && this.flush()) {
      try {
        this.#begin();
      } catch (error) {
        this.#reportFailure(error);
      }
    }
    this.#sortLater();
  }

  #sortLater(): void {
    this.#sorting = this.#sorting.then(() => this.#sortAll());
  }

  async #sortAll(): Promise<void> {
    while (this.#recent.length > 1 && !this.#stopping.signal.aborted) {
      const oldest = this.#recent[0]!;
      if (oldest.file.toMs === 0) this.#recent.shift();
      else if (!(await this.#attempt(() => this.#sortOne(oldest)))) return;
      this.#sorted?.remove();
      this.#sorted = SortedFile.of(this.#files, oldest.number, oldest.file);
      this.#keepLimits();
    }
    await this.#attempt(() => this.#mergeSmall());
    this.#keepLimits();
  }

  /** Repeats the work while the disk is full and there is something to remove. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        if (this.#stopping.signal.aborted) return false;
        if (isDiskFull(error) && this.#dropOldest()) continue;
        this.#reportFailure(error);
        return false;
      }
    }
  }

  async #sortOne({ number, file }: { readonly number: number; readonly file: RecentFile }): Promise<void> {
    const before = await this.#sorted?.open(this.reportDamage);
    const compact = ([polled, minutes]: readonly TierFileWriter[]) =>
      compactRecent({
        recent: file,
        before,
        polled: polled!,
        minutes: minutes!,
        onDamage: this.reportDamage,
        turns: this.turns,
        signal: this.#stopping.signal,
      });
    await writeFiles(this.#folder, ['polled', 'five_minutes'], [number, number], compact, () => {
      this.#recent.shift();
    });
  }

  /** On a full disk, room is made between two attempts, perhaps with a file that was to be merged. */
  async #mergeSmall(): Promise<void> {
    const small: TierEntry[] = [];
    for (const entry of this.#folder.list('five_minutes').filter(({ first, last }) => first === last)) {
      // What the merged file spans is removed, so it spans no file of a newer version.
      if (await this.#isNewer(entry)) small.length = 0;
      else small.push(entry);
    }
    if (small.length < mergeFiles) return;
    const numbers = small.map(({ first }) => first);
    const merge = ([minutes, hours]: readonly TierFileWriter[]) =>
      mergeMinutes({
        paths: small.map(({ path }) => path),
        open: (path) => this.openFile({ path, tier: 'five_minutes' }),
        minutes: minutes!,
        hours: hours!,
        onDamage: this.reportDamage,
        turns: this.turns,
        signal: this.#stopping.signal,
      });
    const range = [Math.min(...numbers), Math.max(...numbers)] as const;
    await writeFiles(this.#folder, ['five_minutes', 'hours'], range, merge, () => {
      for (const entry of small) this.forget(entry);
    });
  }

  async #isNewer(entry: TierEntry): Promise<boolean> {
    try {
      (await this.openFile(entry)).close();
    } catch (error) {
      if (error instanceof BatchFault) this.reportDamage(entry.path, error);
    }
    return this.#findings.newer.has(entry.path);
  }

  #keepLimits(): void {
    for (const tier of tierNames) {
      const { maxBytes, maxAgeMs } = this.#settings.limits[tier];
      for (const entry of this.#folder.list(tier)) {
        const isOld = entry.toMs < this.#now() - maxAgeMs;
        if (isOld || this.#folder.bytes(tier) + this.#recentBytes(tier) > maxBytes) this.forget(entry);
      }
    }
  }

  #withRoom<Result>(write: () => Result): Result {
    for (;;) {
      try {
        return write();
      } catch (error) {
        if (!isDiskFull(error) || !this.#dropOldest()) throw error;
      }
    }
  }

  /** Returns whether there was a file to remove. */
  #dropOldest(): boolean {
    const oldest = tierNames.map((tier) => this.#folder.list(tier)[0]).find((entry) => entry !== undefined);
    if (oldest === undefined) return false;
    this.forget(oldest);
    this.#droppedFiles++;
    const { path, fromMs, toMs } = oldest;
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    this.#settings.log.warn(
      { path, from, to },
      'The disk is full. The oldest file of the history was removed.',
    );
    return true;
  }

  /** Said once, until writing works again. */
  #reportFailure(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { directory } = this.#settings;
    const reason = systemReasonOf(error);
    this.#settings.log.error({ error, directory, reason }, 'Writing the history failed. It is tried again.');
  }
}

function nextRotation(timeMs: number): number {
  return (Math.floor(timeMs / recentMs) + 1) * recentMs;
}

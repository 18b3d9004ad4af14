import type { Batch, Logger } from '../../src/index.ts';
import { type FileSystem, isDiskFull, nodeFileSystem, systemReasonOf } from '../../src/internal.ts';
import { streamCount } from './chunk/block.ts';
import { RecentFile } from './recent/recent-file.ts';
import { SortedFile } from './recent/sorted-file.ts';
import { compactRecent, mergeMinutes } from './tiers/compact.ts';
import { TierFile, TierFileWriter, type TierIndex } from './tiers/tier-file.ts';
import { sizeOf, type TierEntry, TierFolder } from './tiers/tier-folder.ts';
import { type TierName, tierNames } from './tiers/tier-names.ts';

export interface TierLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

export interface HistorySettings {
  /** Only this store may write there. */
  readonly directory: string;
  readonly limits: Readonly<Record<TierName, TierLimits>>;
  /** What a process that ends without a stop loses at most. */
  readonly flushMs: number;
  readonly log: Logger;
  readonly files?: FileSystem;
  /** Wall clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** At this size the recent polls are sorted, even before an hour is over. */
  readonly maxRecentBytes?: number;
  /** So much waits in memory for a disk that accepts nothing. Later batches are lost and counted. */
  readonly maxPendingBytes?: number;
}

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
  readonly #settings: HistorySettings;
  readonly #files: FileSystem;
  readonly #folder: TierFolder;
  readonly #now: () => number;
  readonly #stopping = new AbortController();
  readonly #damaged = new Set<string>();
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
    this.#settings = settings;
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
    const unreadable: string[] = [];
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
      const file = await RecentFile.open(files, path);
      if (file === undefined) files.remove(path);
      else opened.push({ number, file });
      if (file === undefined ? size > 0 : file.damaged > 0) unreadable.push(path);
    }
    const store = new HistoryStore(settings, folder, opened, sorted);
    for (const path of unreadable) store.reportDamage(path);
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
    return [...this.#damaged];
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
    TierFile.open(this.#files, path, tier === 'polled' ? 1 : streamCount, this.#indexes);

  /** Removes a file, also one that somebody else has removed. */
  forget(entry: TierEntry): void {
    this.#folder.remove(entry);
    this.#indexes.delete(entry.path);
  }

  /** Names a file with damaged parts, once. */
  readonly reportDamage = (path: string): void => {
    if (this.#damaged.has(path)) return;
    this.#damaged.add(path);
    this.#settings.log.warn(
      { path },
      'A file of the history is damaged. Values that were in the damaged part are lost.',
    );
  };

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
    const number =
      1 + Math.max(0, this.#recent.at(-1)?.number ?? 0, this.#sorted?.number ?? 0, this.#lastNumber());
    const file = this.#withRoom(() => RecentFile.create(this.#files, this.#folder.recentPath(number)));
    this.#recent.push({ number, file });
  }

  #lastNumber(): number {
    return Math.max(0, ...tierNames.flatMap((tier) => this.#folder.list(tier).map(({ last }) => last)));
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
      if (oldest.file.toMs > 0 && !(await this.#attempt(() => this.#sortOne(oldest)))) return;
      this.#recent.shift();
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
    await this.#write(['polled', 'five_minutes'], number, number, ([polled, minutes]) =>
      compactRecent({
        recent: file,
        before,
        polled: polled!,
        minutes: minutes!,
        onDamage: this.reportDamage,
        signal: this.#stopping.signal,
      }),
    );
  }

  /** On a full disk, room is made between two attempts, perhaps with a file that was to be merged. */
  async #mergeSmall(): Promise<void> {
    const small = this.#folder.list('five_minutes').filter(({ first, last }) => first === last);
    if (small.length < mergeFiles) return;
    const numbers = small.map(({ first }) => first);
    await this.#write(
      ['five_minutes', 'hours'],
      Math.min(...numbers),
      Math.max(...numbers),
      ([minutes, hours]) =>
        mergeMinutes({
          paths: small.map(({ path }) => path),
          open: (path) => this.openFile({ path, tier: 'five_minutes' }),
          minutes: minutes!,
          hours: hours!,
          onDamage: this.reportDamage,
          signal: this.#stopping.signal,
        }),
    );
    for (const entry of small) this.forget(entry);
  }

  /** Writes files of tiers. The first of them gets its name last: when it is there, the others are. */
  async #write(
    tiers: readonly TierName[],
    first: number,
    last: number,
    fill: (writers: readonly TierFileWriter[]) => Promise<void>,
  ): Promise<void> {
    const paths = tiers.map((tier) => this.#folder.unfinishedPath(tier, first));
    const writers: TierFileWriter[] = [];
    try {
      for (const path of paths) writers.push(new TierFileWriter(this.#files, path));
      await fill(writers);
      for (const writer of writers) writer.finish();
    } catch (error) {
      for (const path of paths) this.#files.remove(path);
      throw error;
    } finally {
      for (const writer of writers) writer.close();
    }
    for (const [i, writer] of [...writers.entries()].reverse()) {
      const { fromMs, toMs } = writer;
      if (toMs === 0) this.#files.remove(paths[i]!);
      else this.#folder.add({ tier: tiers[i]!, first, last, fromMs, toMs }, paths[i]!);
    }
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

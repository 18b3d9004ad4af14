import { dirname } from 'node:path';
import { isMissing } from './disk-failure.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { decodeLines, encodeLine } from './journal-line.ts';
import { JournalRewrite } from './journal-rewrite.ts';
import { replaceFile, unfinishedName } from './replace-file.ts';
import { SyncedFile } from './synced-file.ts';

/** What reading a journal found. */
export interface JournalContent {
  /** The last value of each key, as JSON gave it: check before use. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Lines that were torn, flipped or foreign. A copy of the file stays beside the journal as `.damaged` when there are any. */
  readonly damagedLines: number;
}

export interface JournalSettings {
  /** How long changes are gathered before they are written and synced together. */
  readonly groupMs: number;
  readonly onError: (error: unknown) => void;
  /** How many octets `compact` encodes in one go; 128 KiB by default, about a millisecond. */
  readonly sliceBytes?: number;
  readonly files?: FileSystem;
}

/** After so long what a disk did not take is written again. */
const tryAgainMs = 5_000;

/**
 * Values by key that survive a crash: a file of lines, each with its checksum, of which the last one of a key holds.
 * Whatever happens to the process or the file, every whole line is found again.
 */
export class Journal {
  readonly #path: string;
  readonly #settings: JournalSettings;
  readonly #files: FileSystem;
  #file: SyncedFile;
  #lines: number;
  #keys: Set<string>;
  /** By key: of two changes of one key that were not written yet, only the later is. */
  readonly #pending = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #rewrite: JournalRewrite | undefined = undefined;

  private constructor(path: string, settings: JournalSettings, keys: Iterable<string>, lines: number) {
    this.#path = path;
    this.#settings = settings;
    this.#files = settings.files ?? nodeFileSystem;
    this.#file = new SyncedFile(this.#files, this.#files.open(path, 'append'), settings.onError);
    this.#keys = new Set(keys);
    this.#lines = lines;
  }

  /**
   * Reads the journal at `path`, or begins one, and leaves it without outdated lines. A disk that has no room for that is told
   * to `onError`: the journal is used as it is.
   */
  static open(
    path: string,
    settings: JournalSettings,
  ): { readonly journal: Journal; readonly content: JournalContent } {
    const { files = nodeFileSystem, onError } = settings;
    files.makeDirectory(dirname(path));
    const bytes = readIfThere(files, path);
    const { values, damagedLines, totalLines } = decodeLines(bytes ?? Buffer.alloc(0));
    let lines = totalLines;
    try {
      files.remove(unfinishedName(path));
      if (damagedLines > 0) files.copy(path, `${path}.damaged`);
      if (totalLines > values.size) replaceFile(path, [...values].map(encodeLine), files);
      lines = values.size;
    } catch (error) {
      onError(error);
    }
    const journal = new Journal(path, settings, values.keys(), lines);
    if (bytes === undefined) journal.#syncDirectory();
    return { journal, content: { values, damagedLines } };
  }

  /** Lines of which a later one of the same key made waste. */
  get wastedLines(): number {
    return this.#lines + this.#pending.size - this.#keys.size;
  }

  set(key: string, value: unknown): void {
    this.#keys.add(key);
    this.#append(key, encodeLine([key, value]), false);
  }

  delete(key: string): void {
    if (this.#keys.delete(key)) this.#append(key, encodeLine([key]), true);
  }

  /**
   * Replaces the file by one that holds just these values, in one step, after it was written between other work; what is
   * set and deleted meanwhile holds. The values may be those of a living map. Resolves when it is done, was given up
   * because the journal was closed, or has failed and left the file as it was; never rejects. One at a time: while one is
   * under way another call does nothing.
   */
  async compact(values: Iterable<readonly [key: string, value: unknown]>): Promise<void> {
    if (this.#rewrite !== undefined) return;
    this.#write();
    try {
      this.#rewrite = new JournalRewrite(this.#files, this.#path);
      await this.#replaceBy(this.#rewrite, values);
    } catch (error) {
      this.#settings.onError(error);
    } finally {
      this.#rewrite = undefined;
    }
  }

  /** To be called now and then with all that holds: compacts a journal that is mostly waste. */
  compactIfWasteful(values: Iterable<readonly [key: string, value: unknown]>, toleratedLines = 1_000): void {
    if (this.wastedLines > toleratedLines + 3 * this.#keys.size) void this.compact(values);
  }

  /** Writes what was gathered; it is on the disk when this returns. */
  flush(): void {
    this.#write();
    try {
      this.#file.sync();
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  close(): void {
    this.#rewrite?.giveUp();
    // What the disk does not take now is lost, and told.
    this.#isFailing = false;
    this.flush();
    clearTimeout(this.#timer);
    this.#file.close();
  }

  /** What the disk does not take waits, and is told once. */
  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    try {
      this.#file.write([...this.#pending.values()].join(''));
      this.#lines += this.#pending.size;
      this.#pending.clear();
      this.#isFailing = false;
    } catch (error) {
      this.#writeLater(tryAgainMs);
      if (!this.#isFailing) this.#settings.onError(error);
      this.#isFailing = true;
    }
  }

  #writeLater(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#write();
      this.#file.syncLater();
    }, afterMs);
  }

  #append(key: string, line: string, isDeletion: boolean): void {
    this.#pending.delete(key);
    this.#pending.set(key, line);
    this.#rewrite?.note(key, line, isDeletion);
    this.#writeLater(this.#settings.groupMs);
  }

  #syncDirectory(): void {
    try {
      this.#files.syncDirectoryNow(dirname(this.#path));
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  async #replaceBy(
    rewrite: JournalRewrite,
    values: Iterable<readonly [key: string, value: unknown]>,
  ): Promise<void> {
    let isReplaced = false;
    try {
      if (!(await rewrite.writeValues(values, this.#settings.sliceBytes ?? 131_072))) return;
      const file = new SyncedFile(this.#files, rewrite.finish(), this.#settings.onError);
      isReplaced = true;
      this.#file.close();
      this.#file = file;
      file.syncLater();
    } finally {
      rewrite.giveUp();
      if (!isReplaced) rewrite.close();
    }
    // What was gathered is in the new file.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
    this.#keys = rewrite.keys;
    this.#lines = rewrite.lines;
    await this.#files.syncDirectory(dirname(this.#path));
  }
}

function readIfThere(files: FileSystem, path: string): Buffer | undefined {
  try {
    return files.readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

import { dirname } from 'node:path';
import { isMissing } from './disk-failure.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { decodeLines, encodeLine, encodeLongLine } from './journal-line.ts';
import { JournalRewrite } from './journal-rewrite.ts';
import { replaceFile, unfinishedName } from './replace-file.ts';
import { SyncedFile } from './synced-file.ts';

/** The content of a journal. */
export interface JournalContent {
  /** The last value of each key, as parsed from JSON: check it before use. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Number of damaged lines. If there are any, a copy of the file stays beside the journal as `.damaged`. */
  readonly damagedLines: number;
}

/** What plugins that keep a map of values use of a journal. */
export type JournalWriter = Pick<Journal, 'set' | 'delete' | 'compactIfWasteful'>;

/** The line of a value, from `encode`. */
export type EncodedLine = string & { readonly isLine: true };

export interface JournalSettings {
  /** How long changes are collected before they are written and synced together. */
  readonly groupMs: number;
  readonly onError: (error: unknown) => void;
  /** How many bytes `compact` encodes at a time. 128 KiB by default, which takes about a millisecond. */
  readonly sliceBytes?: number;
  readonly files?: FileSystem;
}

/** How long to wait before a failed write is repeated. */
const tryAgainMs = 5_000;

/**
 * Values by key that survive a crash: a file of lines with a checksum each. The last line of a key is valid. Whatever happens to the process
 * or the file, every intact line is found again.
 */
export class Journal {
  readonly #path: string;
  readonly #settings: JournalSettings;
  readonly #files: FileSystem;
  #file: SyncedFile;
  #lines: number;
  #keys: Set<string>;
  /** Lines that are not written yet, by key: only the last change of a key is written. */
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
   * Reads the journal at `path`, or creates one, and removes outdated lines. If the disk has no room for that, `onError` is called and the
   * journal is used as it is.
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

  /** The content of the journal at `path`, empty when there is none. Changes nothing: another process may write it. */
  static read(path: string, files: FileSystem = nodeFileSystem): JournalContent {
    const { values, damagedLines } = decodeLines(readIfThere(files, path) ?? Buffer.alloc(0));
    return { values, damagedLines };
  }

  /** Number of lines that a later line of the same key has replaced. */
  get wastedLines(): number {
    return this.#lines + this.#pending.size - this.#keys.size;
  }

  set(key: string, value: unknown): void {
    this.#keys.add(key);
    this.#append(key, encodeLine([key, value]), false);
  }

  /** The first half of `set`, in steps, for a value whose JSON comes in pieces: pass the result to `setEncoded`. */
  encode(key: string, value: Iterable<string>): Generator<void, EncodedLine> {
    return encodeLongLine(key, value) as Generator<void, EncodedLine>;
  }

  setEncoded(key: string, line: EncodedLine): void {
    this.#keys.add(key);
    this.#append(key, line, false);
  }

  delete(key: string): void {
    if (this.#keys.delete(key)) this.#append(key, encodeLine([key]), true);
  }

  /**
   * Writes a file with only these values, in slices, and replaces the journal by it in one step. Changes made meanwhile are kept. The values
   * may come from a map that changes meanwhile. Resolves when the file is replaced, when the journal was closed, or after a failure, which
   * leaves the file as it was; never rejects. While one call is running, another does nothing.
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

  /** Call it regularly with all current values: it compacts the journal if most of its lines are outdated. */
  compactIfWasteful(values: Iterable<readonly [key: string, value: unknown]>, toleratedLines = 1_000): void {
    if (this.wastedLines > toleratedLines + 3 * this.#keys.size) void this.compact(values);
  }

  /** Writes and syncs all changes. */
  flush(): void {
    this.#write();
    try {
      this.#file.sync();
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  close(): void {
    this.#rewrite?.cancel();
    // What cannot be written now is lost and reported.
    this.#isFailing = false;
    this.flush();
    clearTimeout(this.#timer);
    this.#file.close();
  }

  /** After a failed write, the changes wait for the next attempt. The failure is reported once. */
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
    this.#rewrite?.add(key, line, isDeletion);
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
      rewrite.cancel();
      if (!isReplaced) rewrite.close();
    }
    // The collected changes are in the new file.
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

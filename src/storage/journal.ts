import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { decodeLines, encodeLine } from './journal-line.ts';
import { JournalRewrite, unfinishedName } from './journal-rewrite.ts';
import { SyncedFile } from './synced-file.ts';

/** What reading a journal found. */
export interface JournalContent {
  /** The last value of each key, as JSON gave it: check before use. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Lines that were torn, flipped or foreign. The file is kept beside the journal as `.damaged` when there are any. */
  readonly damagedLines: number;
}

export interface JournalSettings {
  /** How long changes are gathered before they are written and synced together. */
  readonly groupMs: number;
  readonly onError: (error: unknown) => void;
  /** How many octets `compact` encodes in one go; 128 KiB by default, about a millisecond. */
  readonly sliceBytes?: number;
}

/**
 * Values by key that survive a crash: a file of lines, each with its checksum, of which the last one of a key holds.
 * Whatever happens to the process or the file, every whole line is found again.
 */
export class Journal {
  readonly #path: string;
  readonly #settings: JournalSettings;
  #file: SyncedFile;
  #lines: number;
  #keys: Set<string>;
  #pending: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #rewrite: JournalRewrite | undefined = undefined;

  private constructor(path: string, settings: JournalSettings, keys: Iterable<string>) {
    this.#path = path;
    this.#settings = settings;
    this.#file = new SyncedFile(openSync(path, 'a', 0o600), settings.onError);
    this.#keys = new Set(keys);
    this.#lines = this.#keys.size;
  }

  /** Reads the journal at `path`, or begins one, and leaves it without outdated lines. */
  static open(
    path: string,
    settings: JournalSettings,
  ): { readonly journal: Journal; readonly content: JournalContent } {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(unfinishedName(path), { force: true });
    const { values, damagedLines, totalLines } = decodeLines(readIfThere(path));
    if (damagedLines > 0) renameSync(path, `${path}.damaged`);
    if (totalLines > values.size) writeAnew(path, values);
    return { journal: new Journal(path, settings, values.keys()), content: { values, damagedLines } };
  }

  /** Lines of which a later one of the same key made waste. */
  get wastedLines(): number {
    return this.#lines - this.#keys.size;
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
      this.#rewrite = new JournalRewrite(this.#path);
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
    this.flush();
    this.#file.close();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    try {
      this.#file.write(text);
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  #append(key: string, line: string, isDeletion: boolean): void {
    this.#lines++;
    this.#pending.push(line);
    this.#rewrite?.note(key, line, isDeletion);
    this.#timer ??= setTimeout(() => {
      this.#write();
      this.#file.syncLater();
    }, this.#settings.groupMs);
  }

  async #replaceBy(
    rewrite: JournalRewrite,
    values: Iterable<readonly [key: string, value: unknown]>,
  ): Promise<void> {
    let isReplaced = false;
    try {
      if (!(await rewrite.writeValues(values, this.#settings.sliceBytes ?? 131_072))) return;
      const file = new SyncedFile(rewrite.finish(), this.#settings.onError);
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
    this.#pending = [];
    this.#keys = rewrite.keys;
    this.#lines = rewrite.lines;
  }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function writeAnew(path: string, values: Iterable<readonly [string, unknown]>): void {
  const unfinished = unfinishedName(path);
  const descriptor = openSync(unfinished, 'w', 0o600);
  try {
    for (const [key, value] of values) writeSync(descriptor, encodeLine([key, value]));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
}

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

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
}

/**
 * Values by key that survive a crash: a file of lines, each with its checksum, of which the last one of a key holds.
 * Whatever happens to the process or the file, every whole line is found again.
 */
export class Journal {
  readonly #path: string;
  readonly #settings: JournalSettings;
  #descriptor: number;
  #lines: number;
  readonly #keys: Set<string>;
  #pending: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(path: string, settings: JournalSettings, keys: Iterable<string>) {
    this.#path = path;
    this.#settings = settings;
    this.#descriptor = openSync(path, 'a', 0o600);
    this.#keys = new Set(keys);
    this.#lines = this.#keys.size;
  }

  /** Reads the journal at `path`, or begins one, and leaves it without outdated lines. */
  static open(
    path: string,
    settings: JournalSettings,
  ): { readonly journal: Journal; readonly content: JournalContent } {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const { values, damagedLines, totalLines } = readLines(path);
    if (damagedLines > 0) renameSync(path, `${path}.damaged`);
    if (totalLines > values.size) rewrite(path, values);
    return { journal: new Journal(path, settings, values.keys()), content: { values, damagedLines } };
  }

  /** Lines of which a later one of the same key made waste. A journal of mostly waste is worth a `compact`. */
  get wastedLines(): number {
    return this.#lines - this.#keys.size;
  }

  set(key: string, value: unknown): void {
    this.#keys.add(key);
    this.#append(encodeLine([key, value]));
  }

  delete(key: string): void {
    if (this.#keys.delete(key)) this.#append(encodeLine([key]));
  }

  /** Replaces the file by one that holds just these values, in one step. */
  compact(values: Iterable<readonly [key: string, value: unknown]>): void {
    this.flush();
    closeSync(this.#descriptor);
    this.#keys.clear();
    rewrite(this.#path, tee(values, this.#keys));
    this.#lines = this.#keys.size;
    this.#descriptor = openSync(this.#path, 'a', 0o600);
  }

  /** Writes and syncs what was gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    try {
      writeSync(this.#descriptor, text);
      fsyncSync(this.#descriptor);
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  close(): void {
    this.flush();
    closeSync(this.#descriptor);
  }

  #append(line: string): void {
    this.#lines++;
    this.#pending.push(line);
    this.#timer ??= setTimeout(() => this.flush(), this.#settings.groupMs);
  }
}

/** Checksum in hex, a space, JSON, and a line end on both sides: a torn line spoils no other. */
function encodeLine(entry: readonly [key: string, value?: unknown]): string {
  const json = JSON.stringify(entry);
  return `\n${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

function readLines(path: string) {
  const bytes = readIfThere(path);
  const values = new Map<string, unknown>();
  let damagedLines = 0;
  let totalLines = 0;
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(0x0a, start);
    if (end === -1) end = bytes.length;
    if (end === start) continue;
    totalLines++;
    const json = bytes.subarray(start + checksumBytes, end);
    const isWhole =
      json.length > 0 && crc32(json) === Number.parseInt(bytes.toString('latin1', start, start + 8), 16);
    if (!isWhole) {
      damagedLines++;
      continue;
    }
    const [key, ...value] = JSON.parse(json.toString()) as [string, unknown?];
    if (value.length === 0) values.delete(key);
    else values.set(key, value[0]);
  }
  return { values, damagedLines, totalLines };
}

/** Eight hex digits and a space. */
const checksumBytes = 9;

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function rewrite(path: string, values: Iterable<readonly [string, unknown]>): void {
  const unfinished = `${path}.new`;
  const descriptor = openSync(unfinished, 'w', 0o600);
  try {
    for (const [key, value] of values) writeSync(descriptor, encodeLine([key, value]));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
}

function* tee(values: Iterable<readonly [string, unknown]>, keys: Set<string>) {
  for (const entry of values) {
    keys.add(entry[0]);
    yield entry;
  }
}

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../../../src/index.ts';
import type { LineTarget } from './group-writer.ts';
import { RotatedFiles, type RotationSettings } from './rotated-files.ts';

export interface LineFileSettings {
  readonly path: string;
  /** Whether a group is synced to the disk before it counts as delivered. */
  readonly fsync: boolean;
  readonly rotation: RotationSettings & {
    /** 0 means never. */
    readonly maxBytes: number;
    readonly maxAgeMs: number;
  };
}

export interface LineFileParts {
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly openFile?: typeof open;
}

/** A file to which lines are appended. At a certain size or age a new file replaces it. */
export class LineFile implements LineTarget {
  readonly #settings: LineFileSettings;
  readonly #parts: LineFileParts;
  readonly #rotated: RotatedFiles;
  readonly #end = new AbortController();
  #file: FileHandle | undefined;
  #bytes = 0;
  #sinceMs = 0;
  #tidying: Promise<void> = Promise.resolve();

  private constructor(settings: LineFileSettings, parts: LineFileParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#rotated = new RotatedFiles(settings.path, settings.rotation);
  }

  /** Throws when the file cannot be written. */
  static async open(settings: LineFileSettings, parts: LineFileParts): Promise<LineFile> {
    await mkdir(dirname(settings.path), { recursive: true });
    const file = new LineFile(settings, parts);
    await file.#open();
    file.#tidy();
    return file;
  }

  async write(bytes: Buffer): Promise<number> {
    this.#end.signal.throwIfAborted();
    const file = this.#file ?? (await this.#open());
    const { bytesWritten } = await file.write(bytes);
    this.#bytes += bytesWritten;
    return bytesWritten;
  }

  async finishGroup(): Promise<void> {
    if (this.#settings.fsync) await this.#file?.datasync();
    const { maxBytes, maxAgeMs } = this.#settings.rotation;
    const isLarge = maxBytes > 0 && this.#bytes >= maxBytes;
    const isOld = maxAgeMs > 0 && this.#bytes > 0 && this.#parts.now() - this.#sinceMs >= maxAgeMs;
    if (isLarge || isOld) await this.#rotate();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#tidying;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#settings;
    const file = await (this.#parts.openFile ?? open)(path, 'a+', 0o640);
    try {
      const status = await file.stat();
      const torn = status.isFile() ? await cutTornTail(file) : 0;
      if (torn > 0)
        this.#parts.log.warn(
          { path, bytes: torn },
          'The file ended in an incomplete line, which was removed.',
        );
      this.#bytes = status.size - torn;
      this.#sinceMs = this.#bytes === 0 ? this.#parts.now() : status.birthtimeMs;
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** A failed rotation loses nothing: lines are still appended to the old file. */
  async #rotate(): Promise<void> {
    try {
      await this.#rotated.moveAway(this.#parts.now());
    } catch (error) {
      this.#parts.log.warn({ error, path: this.#settings.path }, 'Rotating the file failed.');
      return;
    }
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    this.#tidy();
  }

  #tidy(): void {
    this.#tidying = this.#tidying
      .then(() => this.#rotated.tidy(this.#end.signal))
      .catch((error) => {
        if (this.#end.signal.aborted) return;
        this.#parts.log.warn(
          { error, path: this.#settings.path },
          'Removing or compressing rotated files failed.',
        );
      });
  }
}

const blockBytes = 64 << 10;

/** Removes an incomplete line that a crash left after the last line end. Returns its size. */
async function cutTornTail(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const keep = await findEndOfLines(file, size);
  if (keep < size) await file.truncate(keep);
  return size - keep;
}

async function findEndOfLines(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(Math.min(blockBytes, size));
  for (let end = size; end > 0; end -= block.length) {
    const start = Math.max(0, end - block.length);
    await file.read(block, 0, end - start, start);
    const lineEnd = block.subarray(0, end - start).lastIndexOf(0x0a);
    if (lineEnd !== -1) return start + lineEnd + 1;
  }
  return 0;
}

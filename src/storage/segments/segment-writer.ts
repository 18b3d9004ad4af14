import type { FileSystem } from '../file-system.ts';
import { writeAll } from '../write-all.ts';
import { frameBytes, writeFrameHead } from './frame.ts';
import { type Segment, segmentPath } from './segment.ts';
import { createHeader, headerBytes } from './segment-header.ts';

export interface WriterSettings {
  readonly directory: string;
  /** How long a written record may wait for a sync. */
  readonly syncEveryMs: number;
  /** Called before each sync, to write what should be synced with it. */
  readonly beforeSync: () => void;
  /** Called after each sync, to find out whether the file is still there. */
  readonly afterSync: () => void;
  readonly onError: (error: unknown) => void;
}

/** Appends records to one segment: one write per record, and one sync for all records of a short time. */
export class SegmentWriter {
  readonly segment: Segment;
  readonly #files: FileSystem;
  readonly #settings: WriterSettings;
  readonly #descriptor: number;
  readonly #head = Buffer.alloc(frameBytes);
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<boolean> | undefined;

  /** Throws the error of the file system. No file is left then. */
  constructor(
    files: FileSystem,
    settings: WriterSettings,
    begin: { first: number; marker: number; nowMs: number },
  ) {
    const { first, marker, nowMs } = begin;
    const path = segmentPath(settings.directory, first, marker);
    this.#files = files;
    this.#settings = settings;
    this.#descriptor = files.open(path, 'new');
    this.segment = { path, first, marker, bytes: headerBytes, firstMs: nowMs, lastMs: undefined };
    try {
      this.#write([createHeader(nowMs)], 0);
    } catch (error) {
      files.close(this.#descriptor);
      files.remove(path);
      throw error;
    }
  }

  /** Throws when the record cannot be written. The segment is then as it was before. */
  append(number: number, timeMs: number, record: Uint8Array): void {
    const { segment } = this;
    writeFrameHead(this.#head, segment.marker, number, timeMs, record);
    const size = frameBytes + record.length;
    this.#write([this.#head, record], segment.bytes);
    segment.bytes += size;
    segment.lastMs = timeMs;
    this.#timer ??= setTimeout(() => void this.sync(), this.#settings.syncEveryMs).unref();
  }

  /** Resolves to whether all written records are on the disk. A failure is also reported. */
  async sync(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#settings.beforeSync();
    const before = this.#syncing;
    this.#syncing = (async () => {
      await before;
      await this.#files.sync(this.#descriptor);
      return true;
    })().catch((error) => {
      this.#settings.onError(error);
      return false;
    });
    const isSynced = await this.#syncing;
    this.#settings.afterSync();
    return isSynced;
  }

  /** Syncs and closes the file. Resolves to whether the sync succeeded. */
  async release(): Promise<boolean> {
    const isSynced = await this.sync();
    this.#guard(() => this.#files.close(this.#descriptor));
    return isSynced;
  }

  /** Like `release`, but blocks while it syncs. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#syncing;
    this.#guard(() => this.#files.syncNow(this.#descriptor));
    this.#guard(() => this.#files.close(this.#descriptor));
  }

  #write(parts: readonly Uint8Array[], position: number): void {
    try {
      writeAll(this.#files, this.#descriptor, parts, position);
    } catch (error) {
      this.#guard(() => this.#files.truncate(this.#descriptor, position));
      throw error;
    }
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#settings.onError(error);
    }
  }
}

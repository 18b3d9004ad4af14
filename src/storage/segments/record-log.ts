import type { FileSystem } from '../file-system.ts';
import type { Cursor } from './cursor.ts';
import { CursorFiles } from './cursor-files.ts';
import { type FoundSegments, findSegments } from './found-segments.ts';
import { LogReader, type ReadLimits } from './log-reader.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter, type WriterSettings } from './segment-writer.ts';

export interface LogSettings {
  readonly directory: string;
  /** A segment of this size makes room for the next one. */
  readonly segmentBytes: number;
  /** Already one of this size does where it is an eighth of all there are. */
  readonly leastSegmentBytes?: number;
  /** So does one whose first record is that old; never without it. */
  readonly segmentAgeMs?: number;
  readonly syncEveryMs: number;
  readonly files: FileSystem;
  /** Any integer from 1 to 2^32 - 1, which nobody can guess. */
  readonly randomMarker: () => number;
  /** What failed without anything being lost yet: a sync, a cursor, a removal. */
  readonly onError: (error: unknown) => void;
}

/** Records that were read and wait for `confirm`. */
interface Group {
  /** The number behind its last record. */
  readonly to: number;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Numbered records in segment files: written at one end, read at the other, and removed a segment at a time. Each segment can
 * be read by itself; the newest cursor in any of their headers, or in the spare one, says where reading goes on. Nothing
 * else is kept, and nothing must agree with anything.
 */
export class RecordLog {
  readonly #settings: LogSettings;
  readonly #segments: Segment[];
  readonly #cursorFiles: CursorFiles;
  readonly #reader: LogReader;
  #writer: SegmentWriter | undefined;
  /** Settles when the writers of earlier segments have let their files go. */
  #released: Promise<unknown> = Promise.resolve();
  #cursor: Cursor;
  #group: Group | undefined;
  #oldestMs: number | undefined;

  private constructor(settings: LogSettings, { segments, cursor, hasSpare }: FoundSegments) {
    const { files, directory, onError } = settings;
    this.#settings = settings;
    this.#segments = segments;
    this.#cursor = cursor;
    this.#cursorFiles = new CursorFiles(files, directory, hasSpare, onError);
    this.#reader = new LogReader(files, segments, onError);
    this.#oldestMs = segments[0]?.firstMs;
  }

  /** Throws when the directory cannot be read or holds what a later version wrote. */
  static async open(settings: LogSettings): Promise<RecordLog> {
    settings.files.makeDirectory(settings.directory);
    const { files, directory, onError } = settings;
    const log = new RecordLog(settings, await findSegments(files, directory, onError));
    log.#removeDone();
    return log;
  }

  /** Records that wait, those under delivery included; damaged ones count until they are met. */
  get size(): number {
    const { next, resume, holeFrom, holeTo } = this.#cursor;
    const missed = this.#group === undefined ? 0 : this.#group.to - resume - this.#group.count;
    return next - resume - (holeTo - holeFrom) - missed;
  }

  get bytes(): number {
    let bytes = 0;
    for (const segment of this.#segments) bytes += segment.bytes;
    return bytes;
  }

  /** No later than when the oldest record came. */
  get oldestMs(): number | undefined {
    return this.size === 0 ? undefined : (this.#group?.firstMs ?? this.#oldestMs);
  }

  /** The number of the oldest record that waits and is not under delivery; all before it are, or are gone. */
  get resume(): number {
    return this.#group === undefined ? this.#cursor.resume : Math.max(this.#group.to, this.#cursor.holeTo);
  }

  get next(): number {
    return this.#cursor.next;
  }

  /** Throws when the disk does not take it; nothing has changed then. */
  append(record: Uint8Array, timeMs: number): void {
    if (this.#writer === undefined || this.#isFull(this.#writer.segment, timeMs)) this.#roll(timeMs);
    this.#writer!.append(this.#cursor.next, timeMs, record);
    if (this.size === 0) this.#oldestMs = timeMs;
    this.#cursor = { ...this.#cursor, next: this.#cursor.next + 1 };
  }

  /** Resolves when all that was appended is on the disk, or the failure was reported. */
  async sync(): Promise<void> {
    await Promise.all([this.#released, this.#writer?.sync()]);
  }

  /**
   * Puts the oldest records under delivery, as `decode` reads them; one that it throws on counts as damaged. To be called
   * when none is under delivery. Answers too how many were met on the way and could not be given.
   */
  async read<Item>(
    limits: ReadLimits,
    decode: (record: Buffer) => Item,
  ): Promise<{ readonly items: readonly Item[]; readonly damaged: number; readonly expired: number }> {
    for (;;) {
      const { resume } = this.#cursor;
      const { items, to, damaged, expired, firstMs, lastMs } = await this.#reader.read(
        () => this.#cursor,
        limits,
        decode,
      );
      // What it has read may have been dropped meanwhile.
      if (this.#cursor.resume !== resume) continue;
      if (items.length > 0) this.#group = { to, count: items.length, firstMs, lastMs };
      else if (to > resume) {
        this.#advance(to);
        this.#removeDone();
      }
      return { items, damaged, expired };
    }
  }

  /** Puts the next `count` records under delivery, for somebody who still has them in memory. */
  take(count: number, firstMs: number, lastMs: number): void {
    this.#group = { to: this.#cursor.resume + count, count, firstMs, lastMs };
  }

  /** Forgets the records under delivery. */
  confirm(): void {
    if (this.#group === undefined) return;
    this.#oldestMs = this.#group.lastMs;
    this.#advance(this.#group.to);
    this.#group = undefined;
    this.#removeDone();
  }

  /** Drops what waits in the oldest segment, but for what is under delivery. Answers how many records that were. */
  dropOldest(): number {
    const { next, holeFrom, holeTo } = this.#cursor;
    const from = this.#group === undefined ? this.#cursor.resume : Math.max(this.#group.to, holeTo);
    if (from >= next) return 0;
    const position = this.#segments.findLastIndex(({ first }) => first <= from);
    if (position === this.#segments.length - 1 && !this.#tryRoll()) return 0;
    const to = this.#segments[position + 1]!.first;
    const before = this.size;
    if (this.#group === undefined) this.#advance(to);
    else this.#cursor = { ...this.#cursor, holeFrom: holeTo > holeFrom ? holeFrom : from, holeTo: to };
    this.#removeDone();
    this.#oldestMs = this.#segments[0]?.firstMs;
    return before - this.size;
  }

  /** As `dropOldest`, as long as all that is in the oldest segment came before `notBeforeMs`. */
  dropOlder(notBeforeMs: number): number {
    let dropped = 0;
    for (;;) {
      const from = Math.max(this.resume, this.#cursor.holeTo > this.resume ? this.#cursor.holeTo : 0);
      const oldest = this.#segments.findLast(({ first }) => first <= from) ?? this.#segments[0];
      if (oldest?.lastMs === undefined || oldest.lastMs >= notBeforeMs) return dropped;
      const count = this.dropOldest();
      if (count === 0) return dropped;
      dropped += count;
    }
  }

  /** Leaves everything on the disk for the next process. */
  async close(): Promise<void> {
    this.#saveCursor();
    this.#cursorFiles.close();
    this.#reader.close();
    await this.#writer?.close();
    await this.#released;
    this.#writer = undefined;
  }

  #advance(to: number): void {
    const { holeFrom, holeTo } = this.#cursor;
    const resume = holeFrom <= to ? Math.max(to, holeTo) : to;
    const hole = holeFrom <= to ? { holeFrom: resume, holeTo: resume } : { holeFrom, holeTo };
    this.#cursor = { ...this.#cursor, resume, ...hole };
  }

  #isFull({ bytes, firstMs = 0 }: Segment, nowMs: number): boolean {
    const { segmentBytes, leastSegmentBytes = segmentBytes, segmentAgeMs = Infinity } = this.#settings;
    const isLargeShare = bytes >= leastSegmentBytes && bytes >= this.bytes / 8;
    return bytes >= segmentBytes || isLargeShare || nowMs - firstMs >= segmentAgeMs;
  }

  #roll(nowMs: number): void {
    const { files, directory, syncEveryMs, onError, randomMarker } = this.#settings;
    const settings: WriterSettings = {
      directory,
      syncEveryMs,
      onError,
      beforeSync: () => this.#saveCursor(),
    };
    const begin = { first: this.#cursor.next, marker: randomMarker(), nowMs };
    const writer = new SegmentWriter(files, settings, begin);
    this.#released = Promise.all([this.#released, this.#writer?.release()]);
    this.#writer = writer;
    // One that an earlier process wrote last has no later one to tell when it ended.
    const before = this.#segments.at(-1);
    if (before !== undefined) before.lastMs ??= Math.max(nowMs, before.firstMs ?? 0);
    this.#segments.push(writer.segment);
    this.#cursorFiles.addSpare(nowMs);
    this.#removeDone();
  }

  #tryRoll(): boolean {
    try {
      this.#roll(this.#segments.at(-1)?.lastMs ?? 0);
      return true;
    } catch (error) {
      this.#settings.onError(error);
      return false;
    }
  }

  /** Removes the segments that nobody will read any more, after the cursor says so. */
  #removeDone(): void {
    const { resume, holeFrom, holeTo } = this.#cursor;
    const done = this.#segments.filter((segment, i) => {
      const end =
        this.#segments[i + 1]?.first ?? (segment === this.#writer?.segment ? Infinity : this.#cursor.next);
      return end <= resume || (segment.first >= holeFrom && end <= holeTo);
    });
    const kept = this.#segments.filter((segment) => !done.includes(segment));
    this.#segments.splice(0, Infinity, ...kept);
    this.#saveCursor();
    for (const { path } of done) this.#remove(path);
    if (kept.length === 0 && this.size === 0) this.#cursorFiles.removeSpare();
  }

  #saveCursor(): void {
    this.#cursor = { ...this.#cursor, stamp: this.#cursor.stamp + 1 };
    this.#cursorFiles.write(this.#segments[0], this.#cursor);
  }

  #remove(path: string): void {
    try {
      this.#settings.files.remove(path);
    } catch (error) {
      this.#settings.onError(error);
    }
  }
}

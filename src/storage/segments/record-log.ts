import { basename } from 'node:path';
import { isMissing } from '../disk-failure.ts';
import type { FileSystem } from '../file-system.ts';
import type { Cursor } from './cursor.ts';
import { CursorFiles } from './cursor-files.ts';
import { type FoundSegments, findSegments } from './found-segments.ts';
import { LogReader, type ReadLimits } from './log-reader.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter, type WriterSettings } from './segment-writer.ts';

export interface LogSettings {
  readonly directory: string;
  /** At this size a new segment begins. */
  readonly segmentBytes: number;
  /** A new segment also begins at this size, if the last one has an eighth of all bytes. */
  readonly leastSegmentBytes?: number;
  /** A new segment also begins when the first record of the last one is this old. By default never. */
  readonly segmentAgeMs?: number;
  readonly syncEveryMs: number;
  readonly files: FileSystem;
  /** Returns an unpredictable integer from 1 to 2^32 - 1. */
  readonly randomMarker: () => number;
  /** Called for failures by which nothing is lost yet: of a sync, a cursor or a removal. */
  readonly onError: (error: unknown) => void;
}

/** Records that were read and wait for `confirm`. */
interface Group {
  /** The number after its last record. */
  readonly to: number;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Numbered records in segment files: appended at one end, read at the other, and removed one segment at a time. Each segment can be read
 * without the others. The newest cursor in any header, or in the spare file, tells where reading continues. No two files must agree.
 */
export class RecordLog {
  readonly #settings: LogSettings;
  readonly #segments: Segment[];
  readonly #cursorFiles: CursorFiles;
  readonly #reader: LogReader;
  #writer: SegmentWriter | undefined;
  /** Settles when the writers of earlier segments have closed their files: whether all of them were synced. */
  #released: Promise<boolean> = Promise.resolve(true);
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

  /** Throws when the directory cannot be read or has files of a later version. */
  static async open(settings: LogSettings): Promise<RecordLog> {
    settings.files.makeDirectory(settings.directory);
    const { files, directory, onError } = settings;
    const log = new RecordLog(settings, await findSegments(files, directory, onError));
    log.#removeDone();
    return log;
  }

  /** Number of waiting records, including those being delivered. Damaged ones count until they are read. */
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

  /** When the oldest record was appended, or earlier. */
  get oldestMs(): number | undefined {
    return this.size === 0 ? undefined : (this.#group?.firstMs ?? this.#oldestMs);
  }

  /** The number of the oldest waiting record that is not being delivered. */
  get resume(): number {
    return this.#group === undefined ? this.#cursor.resume : Math.max(this.#group.to, this.#cursor.holeTo);
  }

  get next(): number {
    return this.#cursor.next;
  }

  /** Throws when the record cannot be written. Nothing has changed then. */
  append(record: Uint8Array, timeMs: number): void {
    if (this.#writer === undefined || this.#isFull(this.#writer.segment, timeMs)) this.#roll(timeMs);
    this.#writer!.append(this.#cursor.next, timeMs, record);
    if (this.size === 0) this.#oldestMs = timeMs;
    this.#cursor = { ...this.#cursor, next: this.#cursor.next + 1 };
  }

  /** Resolves to whether all appended records are on the disk. A failure is also reported, and concerns only records before it. */
  async sync(): Promise<boolean> {
    const released = this.#released;
    const synced = await Promise.all([released, this.#writer?.sync() ?? true]);
    if (!synced[0] && this.#released === released) this.#released = Promise.resolve(true);
    return synced[0] && synced[1];
  }

  /**
   * Starts the delivery of the oldest records. A record on which `decode` throws counts as damaged. Call it only when none is being
   * delivered. Also returns how many damaged and expired records were skipped.
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
      // What was read may have been dropped meanwhile.
      if (this.#cursor.resume !== resume) continue;
      if (items.length > 0) this.#group = { to, count: items.length, firstMs, lastMs };
      else if (to > resume) {
        this.#advance(to);
        this.#removeDone();
      }
      return { items, damaged, expired };
    }
  }

  /** Starts the delivery of the next `count` records, for a caller that still has them in memory. */
  take(count: number, firstMs: number, lastMs: number): void {
    this.#group = { to: this.#cursor.resume + count, count, firstMs, lastMs };
  }

  /** Ends the delivery: its records are done. */
  confirm(): void {
    if (this.#group === undefined) return;
    this.#oldestMs = this.#group.lastMs;
    this.#advance(this.#group.to);
    this.#group = undefined;
    this.#removeDone();
  }

  /** Drops the waiting records of the oldest segment, except those being delivered. Returns how many there were. */
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

  /** Like `dropOldest`, while all records of the oldest segment are older than `notBeforeMs`. */
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
      afterSync: () => this.#replaceRemoved(),
    };
    const begin = { first: this.#cursor.next, marker: randomMarker(), nowMs };
    const open = () => new SegmentWriter(files, settings, begin);
    let writer: SegmentWriter;
    try {
      writer = open();
    } catch (error) {
      if (!isMissing(error)) throw error;
      files.makeDirectory(directory);
      this.#cursorFiles.forgetRemoved();
      writer = open();
    }
    const earlier = this.#writer;
    this.#writer = writer;
    this.#released = Promise.all([this.#released, earlier?.release() ?? true]).then(
      ([before, own]) => before && own,
    );
    // The last segment of an earlier process had no later segment to tell when it ended.
    const before = this.#segments.at(-1);
    if (before !== undefined) before.lastMs ??= Math.max(nowMs, before.firstMs ?? 0);
    this.#segments.push(writer.segment);
    this.#cursorFiles.addSpare(nowMs);
    this.#removeDone();
  }

  /** Begins a new segment when somebody has removed the directory or the file: what is appended to it now would be lost at the end. */
  #replaceRemoved(): void {
    const { files, directory } = this.#settings;
    if (this.#writer === undefined) return;
    const { segment } = this.#writer;
    try {
      if (files.list(directory).includes(basename(segment.path))) return;
    } catch (error) {
      if (!isMissing(error)) return;
    }
    this.#cursorFiles.forgetRemoved();
    this.#tryRoll();
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

  /** Removes the segments that are no longer needed, after the cursor is written. */
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

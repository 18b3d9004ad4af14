import { defineErrors } from '../../kernel/errors.ts';
import { isMissing, isUnreadable } from '../disk-failure.ts';
import { storageErrors } from '../errors.ts';
import type { FileSystem } from '../file-system.ts';
import type { Cursor } from './cursor.ts';
import type { Segment } from './segment.ts';
import { type ReadRecord, SegmentReader } from './segment-reader.ts';

const failure = defineErrors(storageErrors);

/** How often in a row a read may fail before the bytes count as lost. With the default pauses this takes a minute. */
const attempts = 8;

export interface ReadLimits {
  readonly records: number;
  /** Reading ends after the record that reaches this size. */
  readonly bytes: number;
  /** Older records are skipped. */
  readonly notBeforeMs: number;
}

export interface ReadGroup<Item> {
  readonly items: readonly Item[];
  /** The number after the last record that was read or is missing. */
  readonly to: number;
  readonly damaged: number;
  readonly expired: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Reads records across segments, and counts those that are missing. */
export class LogReader {
  readonly #files: FileSystem;
  /** The list of the log, which changes while a read is running. */
  readonly #segments: readonly Segment[];
  #reader: SegmentReader | undefined;
  /** The reader has read all records of its segment before this number. */
  #position = 0;
  readonly #onGivenUp: (error: unknown) => void;
  #failures = 0;
  /** The segment of which only the readable blocks are read. */
  #salvaged: Segment | undefined;
  /** The segment of which nothing can be read. */
  #lost: Segment | undefined;

  constructor(
    files: FileSystem,
    segments: readonly Segment[],
    onGivenUp: (error: unknown) => void = () => {},
  ) {
    this.#files = files;
    this.#segments = segments;
    this.#onGivenUp = onGivenUp;
  }

  /**
   * Ends early when the cursor moves meanwhile, because what it has read may have been dropped. Throws the error of the disk, until a read
   * has failed often enough: then its bytes count as damaged.
   */
  async read<Item>(
    cursor: () => Cursor,
    limits: ReadLimits,
    decode: (record: Buffer) => Item,
  ): Promise<ReadGroup<Item>> {
    const { resume } = cursor();
    const items: Item[] = [];
    let [expected, damaged, expired, bytes] = [resume, 0, 0, 0];
    let [firstMs, lastMs] = [0, 0];
    const miss = (to: number) => {
      damaged += Math.max(0, to - expected);
      expected = Math.max(expected, to);
    };
    while (items.length < limits.records && bytes < limits.bytes && expected < cursor().next) {
      const { holeFrom, holeTo } = cursor();
      const hasHole = holeFrom < holeTo;
      if (hasHole && expected >= holeFrom) break;
      const segment = this.#segmentOf(expected);
      const end = segment?.bytes ?? 0;
      let found: ReadRecord | undefined;
      try {
        if (segment !== undefined) found = await this.#nextOf(segment, expected, end);
      } catch (error) {
        // What has been read so far is delivered first.
        if (expected > resume || segment === undefined) break;
        this.#giveUp(segment, error);
        continue;
      }
      if (cursor().resume !== resume) break;
      if (found === undefined) {
        if (segment !== undefined && segment.bytes > end) continue;
        miss(this.#endOf(segment, cursor().next));
        this.close();
        continue;
      }
      const { number, timeMs, record } = found;
      this.#position = number + 1;
      if (number < expected || number >= this.#endOf(segment, cursor().next)) continue;
      if (hasHole && number >= holeFrom) {
        miss(holeFrom);
        break;
      }
      miss(number);
      expected = number + 1;
      if (timeMs < limits.notBeforeMs) {
        expired++;
        continue;
      }
      try {
        items.push(decode(record));
        bytes += record.length;
        if (items.length === 1) firstMs = timeMs;
        lastMs = timeMs;
      } catch {
        damaged++;
      }
    }
    return { items, to: expected, damaged, expired, firstMs, lastMs };
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** The segment that should contain the record. */
  #segmentOf(number: number): Segment | undefined {
    return this.#segments.findLast(({ first }) => first <= number) ?? this.#segments[0];
  }

  async #nextOf(segment: Segment, number: number, end: number): Promise<ReadRecord | undefined> {
    if (segment === this.#lost) return undefined;
    const reader = this.#readerFor(segment, number);
    if (this.#position < number) await reader.skipTo(number, end);
    const found = await reader.next(end);
    this.#failures = 0;
    return found;
  }

  /** The open reader if it is not past the record, otherwise a new one at the beginning of its segment. */
  #readerFor(segment: Segment, number: number): SegmentReader {
    if (this.#reader?.segment === segment && this.#position <= number) return this.#reader;
    this.close();
    this.#reader = new SegmentReader(this.#files, segment, segment === this.#salvaged);
    this.#position = segment.first;
    return this.#reader;
  }

  /** Throws the error while a retry may succeed. */
  #giveUp(segment: Segment, error: unknown): void {
    const isLost = isMissing(error) || (isUnreadable(error) && segment === this.#salvaged);
    if (!isLost && (!isUnreadable(error) || ++this.#failures < attempts)) throw error;
    this.#failures = 0;
    this.close();
    if (isLost) this.#lost = segment;
    else this.#salvaged = segment;
    this.#onGivenUp(failure('QUEUE_FILE_UNREADABLE', { file: segment.path }, error));
  }

  /** The number after the last record that the segment can contain. Without a segment, the number after all records. */
  #endOf(segment: Segment | undefined, next: number): number {
    const later = segment === undefined ? undefined : this.#segments[this.#segments.indexOf(segment) + 1];
    return later?.first ?? next;
  }
}

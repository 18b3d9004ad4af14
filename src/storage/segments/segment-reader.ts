import { isUnreadable } from '../disk-failure.ts';
import type { FileSystem } from '../file-system.ts';
import { type FrameHead, findFrameHead, frameBytes, isIntact } from './frame.ts';
import type { Segment } from './segment.ts';
import { headerBytes } from './segment-header.ts';

export interface ReadRecord {
  readonly number: number;
  readonly timeMs: number;
  /** Valid until the next call. */
  readonly record: Buffer;
}

const windowBytes = 256 * 1024;
/** The smallest unit that a disk fails to read. */
const blockBytes = 4_096;

/** Reads the intact records of a segment in order. After damage it searches for the next record. */
export class SegmentReader {
  readonly segment: Segment;
  readonly #files: FileSystem;
  readonly #descriptor: number;
  readonly #isSalvaging: boolean;
  readonly #marker = Buffer.alloc(4);
  #window: Buffer = this.#marker;
  #windowAt = 0;
  /** Where the next record should begin. */
  #at = headerBytes;
  /** Where the search for it begins if it does not: after everything recognised. Only increases, so that a segment is searched once. */
  #seekFrom = headerBytes;
  #highest = -1;
  /** Whether unrecognisable bytes follow the record with the highest number. */
  #isUnreadable = false;

  /**
   * Sets the size of the segment if it was not known. With `isSalvaging`, for a file with unreadable blocks, those count as damaged and
   * cause no error.
   */
  constructor(files: FileSystem, segment: Segment, isSalvaging = false) {
    this.#files = files;
    this.#isSalvaging = isSalvaging;
    this.segment = segment;
    this.#descriptor = files.open(segment.path, 'existing');
    this.#marker.writeUInt32LE(segment.marker);
    if (segment.bytes > 0) return;
    try {
      segment.bytes = files.size(this.#descriptor);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The lowest number that a record after everything read can have. */
  get nextNumber(): number {
    return this.#highest + 1 + (this.#isUnreadable ? 1 : 0);
  }

  /** The next intact record that ends at `end` or before. Undefined when there is none left. */
  async next(end: number): Promise<ReadRecord | undefined> {
    for (;;) {
      const head = await this.#findHead(end);
      if (head === undefined) return undefined;
      const { length, number, timeMs } = head;
      const from = this.#at + frameBytes;
      if (from + length <= end) {
        await this.#load(this.#at, frameBytes + length, end);
        const start = from - this.#windowAt;
        const record = this.#window.subarray(start, start + length);
        if (record.length === length && isIntact(record, head)) {
          this.#at = this.#seekFrom = from + length;
          return { number, timeMs, record };
        }
      }
      await this.#seek(end);
    }
  }

  /** Skips the records before `number` that end at `end` or before, by reading only their heads. */
  async skipTo(number: number, end: number): Promise<void> {
    let head = await this.#findHead(end);
    while (head !== undefined && head.number < number) {
      const behind = this.#at + frameBytes + head.length;
      if (!this.#holds(behind, frameBytes)) await this.#load(behind, frameBytes, end);
      const follower = findFrameHead(this.#window, behind - this.#windowAt, this.segment.marker);
      if (follower?.number === head.number + 1) {
        this.#at = behind;
        head = this.#recognise(follower);
      } else {
        this.#isUnreadable = behind < end;
        await this.#seek(end);
        head = await this.#findHead(end);
      }
    }
  }

  close(): void {
    this.#files.close(this.#descriptor);
  }

  /** The head of the next record, here or after damage. Undefined when there is none before `end`. */
  async #findHead(end: number): Promise<FrameHead | undefined> {
    while (this.#at < end) {
      if (!this.#holds(this.#at, frameBytes)) await this.#load(this.#at, frameBytes, end);
      const head = findFrameHead(this.#window, this.#at - this.#windowAt, this.segment.marker);
      if (head !== undefined) return this.#recognise(head);
      await this.#seek(end);
    }
    return undefined;
  }

  #recognise(head: FrameHead): FrameHead {
    this.#isUnreadable = false;
    this.#highest = Math.max(this.#highest, head.number);
    this.#seekFrom = this.#at + frameBytes;
    return head;
  }

  /** Moves to the next marker that was not looked at yet, or to the end. */
  async #seek(end: number): Promise<void> {
    while (this.#seekFrom + frameBytes <= end) {
      await this.#load(this.#seekFrom, frameBytes, end);
      if (!this.#holds(this.#seekFrom, frameBytes)) break;
      const found = this.#window.indexOf(this.#marker, this.#seekFrom - this.#windowAt);
      if (found >= 0) {
        this.#at = this.#windowAt + found;
        this.#seekFrom = this.#at + 1;
        return;
      }
      this.#seekFrom = this.#windowAt + this.#window.length - 3;
    }
    this.#at = this.#seekFrom = end;
  }

  #holds(at: number, size: number): boolean {
    return at >= this.#windowAt && at + size <= this.#windowAt + this.#window.length;
  }

  /** Loads `size` bytes from `at` on into the window, or all bytes before `end`. */
  async #load(at: number, size: number, end: number): Promise<void> {
    if (this.#holds(at, size) || at >= end) return;
    const wanted = Math.min(Math.max(size, windowBytes), end - at);
    this.#window = await this.#read(at, wanted);
    this.#windowAt = at;
  }

  async #read(at: number, size: number): Promise<Buffer> {
    try {
      return await this.#files.read(this.#descriptor, at, size);
    } catch (error) {
      if (!this.#isSalvaging || !isUnreadable(error)) throw error;
      return this.#salvage(at, size);
    }
  }

  /** Reads block by block. Unreadable blocks become zeros, which are not a record. */
  async #salvage(at: number, size: number): Promise<Buffer> {
    const bytes = Buffer.alloc(size);
    for (let from = at; from < at + size; ) {
      const wanted = Math.min(blockBytes - (from % blockBytes), at + size - from);
      try {
        (await this.#files.read(this.#descriptor, from, wanted)).copy(bytes, from - at);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
      from += wanted;
    }
    return bytes;
  }
}

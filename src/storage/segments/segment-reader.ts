import type { FileLayer } from './file-layer.ts';
import { findFrameHead, frameBytes, isIntact } from './frame.ts';
import type { Segment } from './segment.ts';
import { headerBytes } from './segment-header.ts';

export interface ReadRecord {
  readonly number: number;
  readonly timeMs: number;
  /** Valid until the next call. */
  readonly record: Buffer;
}

const windowBytes = 256 * 1024;

/** Reads a segment's intact records in order, and looks for the next one behind whatever is damaged. */
export class SegmentReader {
  readonly segment: Segment;
  readonly #files: FileLayer;
  readonly #descriptor: number;
  readonly #marker = Buffer.alloc(4);
  #window = Buffer.alloc(0);
  #windowAt = 0;
  #at = headerBytes;
  #highest = -1;
  #isUnreadable = false;

  constructor(files: FileLayer, segment: Segment) {
    this.#files = files;
    this.segment = segment;
    this.#descriptor = files.open(segment.path, 'existing');
    this.#marker.writeUInt32LE(segment.marker);
  }

  /** The least number that a record behind all that was met here can have. */
  get nextNumber(): number {
    return this.#highest + 1 + (this.#isUnreadable ? 1 : 0);
  }

  /** The next intact record that ends at `end` or before; undefined when there is none any more. */
  async next(end: number): Promise<ReadRecord | undefined> {
    while (this.#at + frameBytes <= end) {
      await this.#load(frameBytes, end);
      const head = findFrameHead(this.#window, this.#at - this.#windowAt, this.segment.marker);
      if (head === undefined) {
        this.#isUnreadable = true;
        await this.#seekMarker(end);
        continue;
      }
      this.#isUnreadable = false;
      this.#highest = Math.max(this.#highest, head.number);
      const from = this.#at + frameBytes;
      if (from + head.length <= end) {
        await this.#load(frameBytes + head.length, end);
        const start = from - this.#windowAt;
        const record = this.#window.subarray(start, start + head.length);
        if (record.length === head.length && isIntact(record, head)) {
          this.#at = from + head.length;
          return { number: head.number, timeMs: head.timeMs, record };
        }
      }
      this.#at = from;
      await this.#seekMarker(end);
    }
    if (this.#at < end) {
      this.#isUnreadable = true;
      this.#at = end;
    }
    return undefined;
  }

  close(): void {
    this.#files.close(this.#descriptor);
  }

  /** Moves to the next marker behind here, or to the end. */
  async #seekMarker(end: number): Promise<void> {
    this.#at++;
    while (this.#at + frameBytes <= end) {
      await this.#load(frameBytes, end);
      if (this.#window.length < frameBytes) break;
      const found = this.#window.indexOf(this.#marker, this.#at - this.#windowAt);
      this.#at = this.#windowAt + (found >= 0 ? found : this.#window.length - 3);
      if (found >= 0) return;
    }
    this.#at = end;
  }

  /** Has `size` bytes from here in the window, as far as there are so many before `end`. */
  async #load(size: number, end: number): Promise<void> {
    const windowEnd = this.#windowAt + this.#window.length;
    if (this.#at >= this.#windowAt && this.#at + size <= windowEnd) return;
    const wanted = Math.min(Math.max(size, windowBytes), end - this.#at);
    const bytes = Buffer.allocUnsafe(wanted);
    let done = 0;
    while (done < wanted) {
      const read = await this.#files.read(this.#descriptor, bytes.subarray(done), this.#at + done);
      if (read === 0) break;
      done += read;
    }
    this.#windowAt = this.#at;
    this.#window = bytes.subarray(0, done);
  }
}

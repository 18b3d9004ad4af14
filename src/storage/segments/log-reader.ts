import type { Cursor } from './cursor.ts';
import type { FileLayer } from './file-layer.ts';
import type { Segment } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';

export interface ReadLimits {
  readonly records: number;
  /** Reading ends behind the record that reaches this many bytes. */
  readonly bytes: number;
  /** Records that came before this are passed over. */
  readonly notBeforeMs: number;
}

export interface ReadGroup<Item> {
  readonly items: readonly Item[];
  /** The number behind the last record that was read or missed. */
  readonly to: number;
  readonly damaged: number;
  readonly expired: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Reads records over the borders of segments, and counts those that are not there any more. */
export class LogReader {
  readonly #files: FileLayer;
  /** The log's own list: it grows, and loses segments, while a read is on its way. */
  readonly #segments: readonly Segment[];
  #reader: SegmentReader | undefined;
  /** All records of the reader's segment before this one have been read. */
  #position = 0;

  constructor(files: FileLayer, segments: readonly Segment[]) {
    this.#files = files;
    this.#segments = segments;
  }

  /** Begins anew when the cursor was moved meanwhile: what it has read may be dropped by then. */
  async read<Item>(
    cursor: () => Cursor,
    limits: ReadLimits,
    decode: (record: Buffer) => Item,
  ): Promise<ReadGroup<Item>> {
    for (;;) {
      const { resume } = cursor();
      const group = await this.#read(resume, cursor, limits, decode);
      if (cursor().resume === resume) return group;
    }
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  async #read<Item>(
    resume: number,
    cursor: () => Cursor,
    limits: ReadLimits,
    decode: (record: Buffer) => Item,
  ): Promise<ReadGroup<Item>> {
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
      const reader = this.#readerFor(expected);
      const end = reader?.segment.bytes ?? 0;
      if (this.#position < expected) await reader?.skipTo(expected, end);
      const found = await reader?.next(end);
      if (cursor().resume !== resume) break;
      if (found === undefined) {
        if (reader !== undefined && reader.segment.bytes > end) continue;
        miss(this.#endOf(reader?.segment, cursor().next));
        this.close();
        continue;
      }
      const { number, timeMs, record } = found;
      this.#position = number + 1;
      if (number < expected || number >= this.#endOf(reader!.segment, cursor().next)) continue;
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

  /** The open reader where it has not passed the record yet, else one at the beginning of the segment that should hold it. */
  #readerFor(number: number): SegmentReader | undefined {
    const segment = this.#segments.findLast(({ first }) => first <= number) ?? this.#segments[0];
    if (segment === undefined) return undefined;
    if (this.#reader?.segment === segment && this.#position <= number) return this.#reader;
    this.close();
    this.#reader = new SegmentReader(this.#files, segment);
    this.#position = segment.first;
    return this.#reader;
  }

  /** The number behind the last record that the segment can hold; without a segment, behind all there are. */
  #endOf(segment: Segment | undefined, next: number): number {
    const later = segment === undefined ? undefined : this.#segments[this.#segments.indexOf(segment) + 1];
    return later?.first ?? next;
  }
}

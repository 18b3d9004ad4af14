import {
  type ColumnMemory,
  type ColumnValues,
  holdsOctets,
  type NameTally,
  type RawColumn,
  rawTag,
} from '../../../src/definitions/index.ts';
import { gapCode } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import { type ColumnSource, slotOf } from '../plan/poll-plan.ts';
import { bitsByStatus, gapsByStatus, statusBits, uniformStatus } from '../status-gaps.ts';

/** Marks rows that another source of the column writes. Greater than every gap code. */
export const ofOtherSource = 255;

const noOctets: RawColumn['octets'] = [];

/** Reads the values of a source for each row of a record. One instance serves all devices: it has no state. */
export class SourceReader {
  readonly #gapOf = gapsByStatus();
  readonly #bitsOf = bitsByStatus();

  /**
   * The fast path for the usual poll: consecutive rows, no missing values, one numeric type, nothing to decode. Returns undefined
   * for everything else: use `read`.
   */
  readComplete(
    source: ColumnSource,
    poll: PollColumns,
    count: number,
    slab: NumberSlab,
  ): ColumnValues | undefined {
    const { slots, firstSlot, reading, scale, rowScale, missing } = source;
    if (slots !== undefined || rowScale !== undefined || missing !== undefined) return undefined;
    if (reading !== 'counter' && reading !== 'number') return undefined;
    const tag = uniformStatus(poll.status, firstSlot, count);
    const bits = this.#bitsOf[tag]!;
    if (reading === 'number') {
      if ((bits & ~statusBits.isSigned) !== 0) return undefined;
      const values = slab.take(count);
      scaleComplete(source, poll.words, bits !== 0, values);
      return { kind: 'number', values };
    }
    if (bits !== 0 || scale.times !== 1) return undefined;
    return {
      kind: 'counter',
      words: new Uint32Array(poll.words.buffer, wordsAt(poll, firstSlot), 2 * count),
    };
  }

  /**
   * Decodes the rows of the source. In `gaps` every row of the source gets its gap code or 0, and every other row `ofOtherSource`.
   * Unscaled counters are a view of `poll.words`.
   */
  read(
    source: ColumnSource,
    poll: PollColumns,
    gaps: Uint8Array,
    tools: ReadTools,
    memory: ColumnMemory | undefined,
  ): ColumnValues | undefined {
    const { slots, firstSlot } = source;
    const count = gaps.length;
    let bits = 0;
    for (let row = 0; row < count; row++) {
      const slot = slots === undefined ? firstSlot + row : slots[row]!;
      const status = slot < 0 ? 0 : poll.status[slot]!;
      bits |= this.#bitsOf[status]!;
      gaps[row] = slot < 0 ? ofOtherSource : this.#gapOf[status]!;
    }
    if (source.missing !== undefined) markAbsent(source, source.missing, poll, gaps);
    const holdsOctets = (bits & statusBits.isOctets) !== 0;
    if (slots === undefined && !holdsOctets) {
      if (source.reading === 'counter' && (bits & statusBits.isSigned) === 0 && source.scale.times === 1) {
        return { kind: 'counter', words: poll.words.subarray(2 * firstSlot, 2 * (firstSlot + count)) };
      }
      if (source.reading === 'number') {
        const values = tools.slab.take(count);
        scaleSlots(source, poll, gaps, values);
        return { kind: 'number', values };
      }
    }
    return source.decoder.decode(rawColumnOf(source, poll, count, holdsOctets), gaps, tools.names, memory);
  }
}

/** What all columns of one batch share. */
export interface ReadTools {
  readonly slab: NumberSlab;
  readonly names: NameTally;
}

/** One block of memory for all numbers of a batch: a large allocation is cheaper than many small ones. */
export class NumberSlab {
  readonly #memory: ArrayBuffer;
  #usedBytes = 0;

  constructor(numbers: number) {
    this.#memory = new ArrayBuffer(numbers * Float64Array.BYTES_PER_ELEMENT);
  }

  take(count: number): Float64Array {
    const start = this.#usedBytes;
    this.#usedBytes += count * Float64Array.BYTES_PER_ELEMENT;
    if (this.#usedBytes > this.#memory.byteLength) return new Float64Array(count);
    return new Float64Array(this.#memory, start, count);
  }
}

const absentGap = gapCode('absent');

/** The device answers with one of these values where there is none. */
function markAbsent(
  source: ColumnSource,
  missing: ReadonlySet<string>,
  { words, status, texts }: PollColumns,
  gaps: Uint8Array,
): void {
  for (let row = 0; row < gaps.length; row++) {
    if (gaps[row] !== 0) continue;
    const slot = slotOf(source, row);
    const tag = status[slot]!;
    const raw = holdsOctets(tag) ? texts[slot]?.trim() : String(integerOf(words, slot, tag));
    if (raw !== undefined && missing.has(raw)) gaps[row] = absentGap;
  }
}

function integerOf(words: Uint32Array, slot: number, tag: number): number {
  const high = words[2 * slot + 1]!;
  return (tag === rawTag.integer ? high | 0 : high) * 2 ** 32 + words[2 * slot]!;
}

function wordsAt({ words }: PollColumns, slot: number): number {
  return words.byteOffset + 2 * slot * Uint32Array.BYTES_PER_ELEMENT;
}

function scaleComplete(
  { firstSlot, scale: { times, over } }: ColumnSource,
  words: Uint32Array,
  isSigned: boolean,
  out: Float64Array,
): void {
  for (let row = 0, at = 2 * firstSlot; row < out.length; row++, at += 2) {
    const high = words[at + 1]!;
    out[row] = (((isSigned ? high | 0 : high) * 2 ** 32 + words[at]!) * times) / over;
  }
}

/** As `scaleColumn` of the decoders, directly from the slots. */
function scaleSlots(
  { firstSlot, scale: { times, over } }: ColumnSource,
  { words, status }: PollColumns,
  gaps: Uint8Array,
  out: Float64Array,
): void {
  for (let row = 0; row < out.length; row++) {
    if (gaps[row] !== 0) continue;
    const slot = firstSlot + row;
    const high = words[2 * slot + 1]!;
    const value = (status[slot] === rawTag.integer ? high | 0 : high) * 2 ** 32 + words[2 * slot]!;
    out[row] = (value * times) / over;
  }
}

function rawColumnOf(
  { firstSlot, slots }: ColumnSource,
  poll: PollColumns,
  count: number,
  holdsOctets: boolean,
): RawColumn {
  const { words, status, texts } = poll;
  if (slots === undefined) {
    const end = firstSlot + count;
    return {
      count,
      words: words.subarray(2 * firstSlot, 2 * end),
      tags: status.subarray(firstSlot, end),
      octets: holdsOctets ? texts.slice(firstSlot, end) : noOctets,
    };
  }
  const raw = {
    count,
    words: new Uint32Array(2 * count),
    tags: new Uint8Array(count),
    octets: new Array<string | undefined>(holdsOctets ? count : 0).fill(undefined),
  };
  for (let row = 0; row < count; row++) {
    const slot = slots[row]!;
    if (slot < 0) continue;
    raw.words[2 * row] = words[2 * slot]!;
    raw.words[2 * row + 1] = words[2 * slot + 1]!;
    raw.tags[row] = status[slot]!;
    if (holdsOctets) raw.octets[row] = texts[slot];
  }
  return raw;
}

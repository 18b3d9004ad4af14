import { BatchFault } from './batch-fault.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/**
 * Unsigned 64-bit integers, the low word of item i at 2i and the high word at 2i + 1, in the shorter of two forms:
 *
 * - a byte w from 0 to 64, the smallest value as a sized integer, then each value minus the smallest in w bits, from the
 *   lowest bit of the first byte on;
 * - the byte 65, four bits per item with its number of bytes (the low half of a byte first), then the items' bytes.
 *
 * A sized integer is a byte with its number of bytes, then these bytes. The lowest byte comes first, as everywhere.
 */
export function writeIntegers(out: ByteWriter, words: Uint32Array): void {
  const count = words.length >> 1;
  if (count === 0) return;
  let [low, high] = [words[0]!, words[1]!];
  let [topLow, topHigh] = [low, high];
  let itemBytes = 0;
  for (let at = 0; at < words.length; at += 2) {
    const itemLow = words[at]!;
    const itemHigh = words[at + 1]!;
    itemBytes += sizeOf(itemLow, itemHigh);
    if (itemHigh < high || (itemHigh === high && itemLow < low)) [low, high] = [itemLow, itemHigh];
    if (itemHigh > topHigh || (itemHigh === topHigh && itemLow > topLow))
      [topLow, topHigh] = [itemLow, itemHigh];
  }
  const width = widthOf((topLow - low) >>> 0, topHigh - high - (topLow < low ? 1 : 0));
  const packedBytes = Math.ceil((count * width) / 8);
  if (((count + 1) >> 1) + itemBytes < 1 + sizeOf(low, high) + packedBytes) {
    writeSized(out, words, itemBytes);
  } else {
    out.byte(width);
    writeInteger(out, low, high);
    packBits(out.take(packedBytes), words, { low, high }, width);
  }
}

/** Reads as many integers as `words` has room for. */
export function readIntegers(from: ByteReader, words: Uint32Array): void {
  const count = words.length >> 1;
  if (count === 0) return;
  const width = from.byte();
  if (width > sized) throw new BatchFault('Integers are in a form that is not known.');
  if (width === sized) readSized(from, words, count);
  else readPacked(from, words, width);
}

const sized = 65;

function readPacked(from: ByteReader, words: Uint32Array, width: number): void {
  const minimumBytes = from.byte();
  if (minimumBytes > 8) throw new BatchFault('An integer has more than 64 bits.');
  const minimum = from.bytes(minimumBytes);
  const low = wordAt(minimum, 0, Math.min(4, minimumBytes));
  const high = wordAt(minimum, 4, Math.max(0, minimumBytes - 4));
  unpackBits(from.bytes(Math.ceil(((words.length >> 1) * width) / 8)), words, { low, high }, width);
}

function packBits(target: Buffer, words: Uint32Array, base: Base, width: number): void {
  let pending = 0;
  let bits = 0;
  let to = 0;
  const push = (value: number, wanted: number): void => {
    let part = value;
    for (let left = wanted; left > 0; ) {
      const take = Math.min(8 - bits, left);
      pending |= (part & ((1 << take) - 1)) << bits;
      part >>>= take;
      bits += take;
      left -= take;
      if (bits < 8) continue;
      target[to++] = pending;
      pending = 0;
      bits = 0;
    }
  };
  const lowWidth = Math.min(width, 32);
  for (let at = 0; at < words.length; at += 2) {
    const low = words[at]!;
    push((low - base.low) >>> 0, lowWidth);
    push((words[at + 1]! - base.high - (low < base.low ? 1 : 0)) >>> 0, width - lowWidth);
  }
  if (bits > 0) target[to] = pending;
}

interface Base {
  readonly low: number;
  readonly high: number;
}

function unpackBits(source: Buffer, words: Uint32Array, base: Base, width: number): void {
  const lowWidth = Math.min(width, 32);
  for (let at = 0, bit = 0; at < words.length; at += 2, bit += width) {
    const low = wordIn(source, bit, lowWidth) + base.low;
    words[at] = low;
    words[at + 1] =
      base.high + (low > 0xffff_ffff ? 1 : 0) + (width > 32 ? wordIn(source, bit + 32, width - 32) : 0);
  }
}

/** The `width` bits, 32 at most, from `bit` on. */
function wordIn(source: Buffer, bit: number, width: number): number {
  if (width <= 24) return bitsIn(source, bit, width);
  return bitsIn(source, bit, 16) + bitsIn(source, bit + 16, width - 16) * 0x1_0000;
}

/** As `wordIn`, for at most 24 bits: four bytes contain them at any start. Bits after the end are 0. */
function bitsIn(source: Buffer, bit: number, width: number): number {
  const at = bit >>> 3;
  const bytes = source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24);
  return (bytes >>> (bit & 7)) & ((1 << width) - 1);
}

function writeSized(out: ByteWriter, words: Uint32Array, itemBytes: number): void {
  const count = words.length >> 1;
  out.byte(sized);
  const sizes = (count + 1) >> 1;
  const target = out.take(sizes + itemBytes).fill(0, 0, sizes);
  let to = sizes;
  for (let row = 0; row < count; row++) {
    let low = words[2 * row]!;
    let high = words[2 * row + 1]!;
    const size = sizeOf(low, high);
    target[row >> 1]! |= size << (4 * (row & 1));
    for (let i = 0; i < size && i < 4; i++, low >>>= 8) target[to++] = low;
    for (let i = 4; i < size; i++, high >>>= 8) target[to++] = high;
  }
}

function readSized(from: ByteReader, words: Uint32Array, count: number): void {
  const sizes = from.bytes((count + 1) >> 1);
  let total = 0;
  for (let row = 0; row < count; row++) {
    const size = (sizes[row >> 1]! >> (4 * (row & 1))) & 15;
    if (size > 8) throw new BatchFault('An integer has more than 64 bits.');
    total += size;
  }
  const items = from.bytes(total);
  for (let row = 0, at = 0; row < count; row++) {
    const size = (sizes[row >> 1]! >> (4 * (row & 1))) & 15;
    words[2 * row] = wordAt(items, at, Math.min(4, size));
    words[2 * row + 1] = wordAt(items, at + 4, Math.max(0, size - 4));
    at += size;
  }
}

function writeInteger(out: ByteWriter, low: number, high: number): void {
  const size = sizeOf(low, high);
  out.byte(size);
  for (let i = 0; i < size; i++) out.byte(((i < 4 ? low : high) >>> (8 * (i & 3))) & 0xff);
}

function wordAt(bytes: Buffer, start: number, length: number): number {
  let word = 0;
  for (let i = 0; i < length; i++) word |= bytes[start + i]! << (8 * i);
  return word >>> 0;
}

/** How many bytes the value takes without its leading zeros. */
function sizeOf(low: number, high: number): number {
  return (widthOf(low, high) + 7) >> 3;
}

function widthOf(low: number, high: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
}

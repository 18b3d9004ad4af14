import { BatchFault } from './batch-fault.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { readIntegers, writeIntegers } from './packed-integers.ts';

/**
 * Numbers, each with all its bits: a byte k, then integers.
 *
 * - k from 0 to 3: the value times 10^k, zigzag (0, -1, 1, -2 … as 0, 1, 2, 3 …);
 * - k is 255: the 64 bits of the double with its bytes reversed, so that round values are short.
 */
export class NumberForm {
  #words = new Uint32Array(0);

  write(out: ByteWriter, values: Float64Array): void {
    const words = this.#wordsFor(values.length);
    const digits = findDigits(values, maxScaled);
    out.byte(digits ?? asBits);
    if (digits === undefined) storeBits(values, words);
    else storeScaled(values, 10 ** digits, words);
    writeIntegers(out, words);
  }

  read(from: ByteReader, values: Float64Array): void {
    const digits = from.byte();
    if (digits > maxDigits && digits !== asBits)
      throw new BatchFault('Numbers are in a form that is not known.');
    const words = this.#wordsFor(values.length);
    readIntegers(from, words);
    if (digits === asBits) restoreBits(words, values);
    else restoreScaled(words, 10 ** digits, values);
  }

  #wordsFor(count: number): Uint32Array {
    if (this.#words.length < 2 * count) this.#words = new Uint32Array(4 * count);
    return this.#words.subarray(0, 2 * count);
  }
}

const asBits = 255;
const maxDigits = 3;
const maxScaled = 2 ** 52;

/**
 * The fewest decimal digits that write all values exactly, as integers below a bound; undefined when three are not enough, and for NaN
 * and infinities.
 */
export function findDigits(values: Float64Array, bound: number): number | undefined {
  let digits = 0;
  let times = 1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    while (!isExact(value, times, bound)) {
      if (++digits > maxDigits) return undefined;
      times *= 10;
    }
  }
  if (digits === 0) return 0;
  return values.every((value) => isExact(value, times, bound)) ? digits : undefined;
}

function isExact(value: number, times: number, bound: number): boolean {
  const scaled = Math.round(value * times);
  return scaled / times === value && Math.abs(scaled) < bound && !Object.is(value, -0);
}

function storeScaled(values: Float64Array, times: number, words: Uint32Array): void {
  for (let row = 0; row < values.length; row++) {
    const scaled = Math.round(values[row]! * times);
    const zigzag = scaled < 0 ? -2 * scaled - 1 : 2 * scaled;
    words[2 * row] = zigzag;
    words[2 * row + 1] = zigzag / 2 ** 32;
  }
}

function restoreScaled(words: Uint32Array, times: number, values: Float64Array): void {
  for (let row = 0; row < values.length; row++) {
    const low = words[2 * row]!;
    const half = (words[2 * row + 1]! * 2 ** 32 + low - (low & 1)) / 2;
    values[row] = ((low & 1) === 1 ? -half - 1 : half) / times;
  }
}

function storeBits(values: Float64Array, words: Uint32Array): void {
  const bits = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let row = 0; row < values.length; row++) {
    words[2 * row] = swapBytes(bits.getUint32(8 * row + highAt, isLittle));
    words[2 * row + 1] = swapBytes(bits.getUint32(8 * row + 4 - highAt, isLittle));
  }
}

function restoreBits(words: Uint32Array, values: Float64Array): void {
  const bits = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let row = 0; row < values.length; row++) {
    bits.setUint32(8 * row + highAt, swapBytes(words[2 * row]!), isLittle);
    bits.setUint32(8 * row + 4 - highAt, swapBytes(words[2 * row + 1]!), isLittle);
  }
}

function swapBytes(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** The byte order of a double on this machine. */
const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const highAt = isLittle ? 4 : 0;

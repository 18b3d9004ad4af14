import { BatchFault } from '../../../src/index.ts';
import { type ByteReader, type ByteWriter, findDigits } from '../../../src/model/index.ts';

/** Decimal digits after the point that are stored exactly. Other numbers keep the bits of their doubles. */
const maxDigits = 3;
const asBits = 255;
/** Added to the number of digits in the form that repeats rows. Without it, as an earlier version wrote, each row is on its own. */
const withRepeats = 16;
/** Four times such an integer, zigzag, fits a varint. */
const maxScaled = 2 ** 50;

/**
 * Writes rows of numbers that follow each other in time, `length` per row: a byte, and for each row
 *
 * - byte 16 + k, k from 0 to 3: a varint. Its lowest bit says whether all numbers of the row are equal, the next one whether rows that are the same
 *   follow; above them is the first number, times 10^k, zigzag (0, -1, 1, -2 … as 0, 1, 2, 3 …). Then come how many rows are the same, if
 *   there are any, and unless its numbers are equal, the difference of each other number to the one before it, zigzag.
 * - byte 255: for each number the bits that differ from those of the one before it: a byte with the number of leading zero bytes
 *   (high half) and of the bytes that follow.
 */
export function writeNumberRows(out: ByteWriter, values: Float64Array, length: number): void {
  const digits = findDigits(values, maxScaled);
  out.byte(digits === undefined ? asBits : withRepeats + digits);
  if (digits === undefined) writeBits(out, values, length);
  else writeScaled(out, values, length, 10 ** digits);
}

/**
 * Reads `rows` rows. With `wanted`, ascending, the result has only these rows, one after the other. Throws a BatchFault for bytes that are not in
 * this form.
 */
export function readNumberRows(
  from: ByteReader,
  rows: number,
  length: number,
  wanted?: readonly number[],
): Float64Array {
  const values = new Float64Array((wanted?.length ?? rows) * length);
  const form = from.byte();
  const digits = form % withRepeats;
  const parts = { values, rows, length, wanted };
  if (form === asBits) readBits(from, parts);
  else if (form < 2 * withRepeats && digits <= maxDigits)
    readScaled(from, parts, { times: 10 ** digits, flags: form < withRepeats ? 2 : 4 });
  else throw new BatchFault('Numbers are in a form that is not known.');
  return values;
}

interface RowParts {
  readonly values: Float64Array;
  readonly rows: number;
  readonly length: number;
  readonly wanted: readonly number[] | undefined;
}

function writeScaled(out: ByteWriter, values: Float64Array, length: number, times: number): void {
  for (let start = 0; start < values.length; ) {
    const end = start + length;
    const first = values[start]!;
    let at = start + 1;
    while (at < end && values[at] === first) at++;
    const isConstant = at === end;
    let next = end;
    while (next < values.length && isSameRow(values, start, next, length)) next += length;
    const repeats = (next - end) / length;
    let before = Math.round(first * times);
    out.varint(4 * zigzag(before) + (repeats > 0 ? 2 : 0) + (isConstant ? 1 : 0));
    if (repeats > 0) out.varint(repeats);
    for (at = start + 1; !isConstant && at < end; at++) {
      const scaled = Math.round(values[at]! * times);
      out.varint(zigzag(scaled - before));
      before = scaled;
    }
    start = next;
  }
}

function isSameRow(values: Float64Array, left: number, right: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (values[left + i] !== values[right + i]) return false;
  return true;
}

function readScaled(
  from: ByteReader,
  { values, rows, length, wanted }: RowParts,
  { times, flags }: { readonly times: number; readonly flags: 2 | 4 },
): void {
  /** How many of the wanted rows are filled. */
  let filled = 0;
  for (let row = 0; row < rows; ) {
    const head = from.varint();
    const isConstant = head % 2 === 1;
    const next = row + 1 + (head % flags >= 2 ? from.varint() : 0);
    if (next > rows) throw new BatchFault('Rows do not fit their column.');
    const start = filled * length;
    if (wanted === undefined) filled = next;
    else while (wanted[filled]! < next) filled++;
    const until = filled * length;
    row = next;
    let scaled = unzigzag(Math.floor(head / flags));
    if (start === until) {
      if (!isConstant) from.skipVarints(length - 1);
    } else if (isConstant) values.fill(scaled / times, start, until);
    else {
      const end = start + length;
      values[start] = scaled / times;
      for (let at = start + 1; at < end; at++) {
        scaled += unzigzag(from.varint());
        values[at] = scaled / times;
      }
      for (let at = end; at < until; at += length) values.copyWithin(at, start, end);
    }
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

const double = new DataView(new ArrayBuffer(8));
const xored = new Uint8Array(8);

function writeBits(out: ByteWriter, values: Float64Array, length: number): void {
  for (let start = 0; start < values.length; start += length) {
    let [high, low] = [0, 0];
    for (let at = start; at < start + length; at++) {
      double.setFloat64(0, values[at]!);
      const nextHigh = double.getUint32(0);
      const nextLow = double.getUint32(4);
      if (nextHigh === high && nextLow === low) {
        out.byte(0);
        continue;
      }
      storeWord(nextHigh ^ high, 0);
      storeWord(nextLow ^ low, 4);
      high = nextHigh;
      low = nextLow;
      let first = 0;
      while (xored[first] === 0) first++;
      let end = 8;
      while (xored[end - 1] === 0) end--;
      out.byte(16 * first + end - first);
      for (let i = first; i < end; i++) out.byte(xored[i]!);
    }
  }
}

function storeWord(word: number, at: number): void {
  xored[at] = word >>> 24;
  xored[at + 1] = word >>> 16;
  xored[at + 2] = word >>> 8;
  xored[at + 3] = word;
}

function readBits(from: ByteReader, { values, rows, length, wanted }: RowParts): void {
  const view = new DataView(new ArrayBuffer(8));
  let filled = 0;
  for (let row = 0; row < rows; row++) {
    const isWanted = wanted === undefined || wanted[filled] === row;
    const start = filled * length;
    if (isWanted) filled++;
    view.setFloat64(0, 0);
    for (let t = 0; t < length; t++) {
      const head = from.byte();
      const [first, count] = [head >> 4, head & 15];
      if (first + count > 8) throw new BatchFault('A number has more than 64 bits.');
      if (!isWanted) {
        from.skip(count);
        continue;
      }
      for (let i = first; i < first + count; i++) view.setUint8(i, view.getUint8(i) ^ from.byte());
      values[start + t] = view.getFloat64(0);
    }
  }
}

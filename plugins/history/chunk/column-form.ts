import { crc32 } from 'node:zlib';
import { BatchFault } from '../../../src/index.ts';
import {
  type ByteReader,
  ByteWriter,
  packSection,
  plainSection,
  unpackSection,
} from '../../../src/model/index.ts';
import type { ColumnValues } from './block.ts';
import { readNumberRows, writeNumberRows } from './number-rows.ts';

/** A table as large as this is not a record of a device. Damaged lengths are refused before memory is allocated. */
const maxCells = 1 << 24;
/** A call of the compressor costs more than it saves in fewer bytes. */
const worthPackingBytes = 192;
/** Each time that the compressor saves nothing, it is not called for twice as many columns of the same kind, up to this number. */
const mostPasses = 16;
const section = new ByteWriter(65_536);

/**
 * Makes bytes of columns. Counters of traffic look random to a compressor, on every device, and trying it on each of them would take a
 * third of the time in which a file is written.
 */
export class ColumnPacker {
  readonly #kinds = new Map<string, { passes: number; left: number }>();

  /** The values with their checksum. Columns of one `kind` are alike. */
  pack(kind: string, values: ColumnValues, length: number): Buffer {
    section.clear();
    writeColumn(section, values, length);
    const packed = this.#pack(kind, section.view());
    const bytes = Buffer.allocUnsafe(packed.length + 4);
    packed.copy(bytes);
    bytes.writeUInt32LE(crc32(packed), packed.length);
    return bytes;
  }

  #pack(kind: string, plain: Buffer): Buffer {
    if (plain.length < worthPackingBytes) return plainSection(plain);
    let kept = this.#kinds.get(kind);
    if (kept === undefined) {
      kept = { passes: 1, left: 0 };
      this.#kinds.set(kind, kept);
    }
    if (kept.left > 0) {
      kept.left--;
      return plainSection(plain);
    }
    const packed = packSection(plain);
    const isShorter = packed.length < plain.length;
    kept.passes = isShorter ? 1 : Math.min(2 * kept.passes, mostPasses);
    kept.left = isShorter ? 0 : kept.passes;
    return packed;
  }
}

/** With `wanted`, ascending, the result has only these rows, one after the other. */
export function unpackColumn(
  bytes: Buffer,
  rows: number,
  length: number,
  streams: number,
  wanted?: readonly number[],
): ColumnValues {
  if (bytes.length < 5) throw new BatchFault('A column is too short.');
  const packed = bytes.subarray(0, -4);
  if (crc32(packed) !== bytes.readUInt32LE(packed.length)) throw new BatchFault('A column is damaged.');
  return readColumn(unpackSection(packed), rows, length, streams, wanted);
}

/** Writes the gaps (0, or 1 and runs: code, number of values), then each list of numbers. */
export function writeColumn(out: ByteWriter, { streams, gaps }: ColumnValues, length: number): void {
  out.byte(gaps === undefined ? 0 : 1);
  if (gaps !== undefined) {
    for (let at = 0, start = 0; at < gaps.length; start = at) {
      while (at < gaps.length && gaps[at] === gaps[start]) at++;
      out.byte(gaps[start]!);
      out.varint(at - start);
    }
  }
  for (const values of streams) writeNumberRows(out, values, length);
}

export function readColumn(
  from: ByteReader,
  rows: number,
  length: number,
  streams: number,
  wanted?: readonly number[],
): ColumnValues {
  if (rows * length > maxCells) throw new BatchFault('A column has more values than a block may have.');
  const gaps = from.byte() === 1 ? readGaps(from, rows, length, wanted) : undefined;
  const lists = Array.from({ length: streams }, () => readNumberRows(from, rows, length, wanted));
  return { streams: lists, gaps };
}

function readGaps(
  from: ByteReader,
  rows: number,
  length: number,
  wanted: readonly number[] | undefined,
): Uint8Array {
  const cells = rows * length;
  const gaps = new Uint8Array((wanted?.length ?? rows) * length);
  /** The first wanted row that does not end before the run. */
  let place = 0;
  for (let at = 0; at < cells; ) {
    const code = from.byte();
    const run = from.varint();
    const end = at + run;
    if (run === 0 || end > cells) throw new BatchFault('Gaps do not fit their column.');
    if (wanted === undefined) gaps.fill(code, at, end);
    else if (code !== 0) {
      while (place < wanted.length && (wanted[place]! + 1) * length <= at) place++;
      for (let i = place; i < wanted.length && wanted[i]! * length < end; i++) {
        const moved = (i - wanted[i]!) * length;
        gaps.fill(code, Math.max(at + moved, i * length), Math.min(end + moved, (i + 1) * length));
      }
    }
    at = end;
  }
  return gaps;
}

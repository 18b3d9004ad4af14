import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BatchFault, batchLimits } from './batch-fault.ts';
import { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** Deflate hardly shortens fewer bytes. */
const worthDeflatingBytes = 64;

/** A part of a batch on its own: 0 and the bytes, or 1, their number and the same bytes deflated (RFC 1951). */
export function packSection(plain: Buffer): Buffer {
  if (plain.length >= worthDeflatingBytes) {
    // A batch's texts are a few kilobytes: small tables make a call three times as fast, and the result is no larger.
    const deflated = deflateRawSync(plain, { level: 3, windowBits: 13, memLevel: 6 });
    if (deflated.length < 0.9 * plain.length) {
      const head = Buffer.alloc(5, deflatedMark);
      head.writeUInt32LE(plain.length, 1);
      return Buffer.concat([head, deflated]);
    }
  }
  return plainSection(plain);
}

/** As `packSection`, without trying to shorten it. */
export function plainSection(plain: Buffer): Buffer {
  return Buffer.concat([Buffer.of(plainMark), plain]);
}

export function unpackSection(packed: Buffer): ByteReader {
  if (packed[0] === plainMark) return new ByteReader(packed.subarray(1));
  if (packed[0] !== deflatedMark || packed.length < 5)
    throw new BatchFault('A section is in a form that is not known.');
  const length = packed.readUInt32LE(1);
  if (length > batchLimits.textBytes) throw new BatchFault('A section is longer than a batch may hold.');
  return new ByteReader(inflate(packed.subarray(5), length));
}

/** A section with its length before it. */
export function writeSection(out: ByteWriter, packed: Uint8Array): void {
  out.varint(packed.length);
  out.bytes(packed);
}

const plainMark = 0;
const deflatedMark = 1;

/** Grows with the bytes that are really inflated, not with the length that the section claims. */
function inflate(deflated: Buffer, length: number): Buffer {
  try {
    const plain = inflateRawSync(deflated, { maxOutputLength: Math.max(1, length), chunkSize: 16_384 });
    if (plain.length === length) return plain;
  } catch (error) {
    throw new BatchFault('A section cannot be inflated.', { cause: error });
  }
  throw new BatchFault('A section is not as long as it says.');
}

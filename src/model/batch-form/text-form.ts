import { BatchFault, batchLimits } from './batch-fault.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

export type Texts = readonly (string | undefined)[];

/**
 * A list of texts: their number; for each its length in UTF-16 units plus one, or 0 for a missing text; a byte that names the
 * encoding of the rest (0 Latin-1, 1 UTF-8, 2 UTF-16 for texts that are not valid Unicode); the number of its bytes; and all
 * texts, one after the other.
 */
export function writeTexts(out: ByteWriter, texts: Texts): void {
  out.varint(texts.length);
  for (const text of texts) out.varint(text === undefined ? 0 : text.length + 1);
  const joined = texts.join('');
  const encoding = findEncoding(joined);
  out.byte(encodings.indexOf(encoding));
  out.varint(Buffer.byteLength(joined, encoding));
  out.text(joined, encoding);
}

export function readTexts(from: ByteReader): (string | undefined)[] {
  const lengths: number[] = [];
  let units = 0;
  for (let left = from.count(); left > 0; left--) {
    const length = from.varint();
    lengths.push(length);
    units += Math.max(0, length - 1);
  }
  const encoding = encodings[from.byte()];
  if (encoding === undefined) throw new BatchFault('Texts are in an encoding that is not known.');
  if (units > batchLimits.textBytes) throw new BatchFault('Texts are longer than a batch may hold.');
  const joined = from.bytes(from.varint()).toString(encoding);
  if (joined.length !== units) throw new BatchFault('Texts are not as long as they say.');
  let start = 0;
  return lengths.map((length) => {
    if (length === 0) return undefined;
    start += length - 1;
    return joined.slice(start - length + 1, start);
  });
}

const encodings = ['latin1', 'utf8', 'utf16le'] as const;

function findEncoding(text: string): (typeof encodings)[number] {
  if (Buffer.byteLength(text, 'utf8') === text.length) return 'latin1';
  return /\p{Surrogate}/u.test(text) ? 'utf16le' : 'utf8';
}

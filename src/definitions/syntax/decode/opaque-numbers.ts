import { octetsAt, type RawColumn, rawTag } from './raw-column.ts';
import { wordAt } from './raw-number.ts';

/** The column with every number that an Opaque wraps (0x9f, type, length, content; or an ASN.1 REAL) as a plain number. */
export function unwrapOpaque(raw: RawColumn): RawColumn {
  if (!raw.tags.includes(rawTag.opaque)) return raw;
  const words = raw.words.slice();
  const tags = raw.tags.slice();
  for (let row = 0; row < raw.count; row++) {
    const octets = raw.tags[row] === rawTag.opaque ? octetsAt(raw, row) : undefined;
    const real = decimalReal(octets);
    if (real !== undefined) {
      [words[2 * row], words[2 * row + 1]] = wordsOfDouble(real);
      tags[row] = rawTag.double;
      continue;
    }
    if (octets?.[0] !== 0x9f || octets[2] !== octets.length - 3) continue;
    const type = octets[1] ?? 0;
    const content = octets.subarray(3);
    if (!isWhole(type, content)) continue;
    const filler = type === rawTag.int64 && (content[0] ?? 0) > 0x7f ? 0xff : 0;
    const bytes = new Uint8Array(8).fill(filler);
    bytes.set(content.subarray(-8), 8 - Math.min(content.length, 8));
    words[2 * row] = wordAt(bytes, 4);
    words[2 * row + 1] = type === rawTag.float ? 0 : wordAt(bytes, 0);
    tags[row] = type;
  }
  return { ...raw, words, tags };
}

/** The number of an ASN.1 REAL in decimal digits (X.690 §8.5.8), such as `217E-2`. */
function decimalReal(octets: Uint8Array | undefined): number | undefined {
  if (octets?.[0] !== 0x09 || octets[1] !== octets.length - 2) return undefined;
  const form = octets[2] ?? 0;
  const text = Buffer.from(octets.subarray(3)).toString('latin1').replace(',', '.');
  if (form < 1 || form > 3 || !/^ *[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?$/i.test(text)) return undefined;
  return Number(text);
}

function wordsOfDouble(value: number): [low: number, high: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return [view.getUint32(4), view.getUint32(0)];
}

/** Whether the length of the content fits its type; an unsigned number may have a leading zero octet. */
function isWhole(type: number, { length, 0: first }: Uint8Array): boolean {
  switch (type) {
    case rawTag.float:
      return length === 4;
    case rawTag.double:
      return length === 8;
    case rawTag.int64:
      return length >= 1 && length <= 8;
    case rawTag.opaqueCounter64:
    case rawTag.uInt64:
      return length >= 1 && (length <= 8 || (length === 9 && first === 0));
    default:
      return false;
  }
}

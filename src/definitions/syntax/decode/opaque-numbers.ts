import { octetsAt, type RawColumn, rawTag } from './raw-column.ts';
import { wordAt } from './raw-number.ts';

/** The column with every number that an Opaque wraps (0x9f, type, length, content) as a plain number. */
export function unwrapOpaque(raw: RawColumn): RawColumn {
  if (!raw.tags.includes(rawTag.opaque)) return raw;
  const words = raw.words.slice();
  const tags = raw.tags.slice();
  for (let row = 0; row < raw.count; row++) {
    const octets = raw.tags[row] === rawTag.opaque ? octetsAt(raw, row) : undefined;
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

import { crc32 } from 'node:zlib';

/** A checksum in hex, a space, JSON, and a line end on both sides, so that a torn line does not damage others. No value deletes the key. */
export function encodeLine(entry: readonly [key: string, value?: unknown]): string {
  const json = JSON.stringify(entry);
  return `\n${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

/** As `encodeLine`, in steps, for a value whose JSON comes in pieces. */
export function* encodeLongLine(key: string, value: Iterable<string>): Generator<void, string> {
  const pieces = [`[${JSON.stringify(key)},`];
  let checksum = crc32(pieces[0]!);
  for (const piece of value) {
    pieces.push(piece);
    checksum = crc32(piece, checksum);
    yield;
  }
  pieces.push(']');
  checksum = crc32(']', checksum);
  return `\n${checksum.toString(16).padStart(8, '0')} ${pieces.join('')}\n`;
}

/** Returns the last value of each key, and counts damaged lines. */
export function decodeLines(bytes: Buffer) {
  const values = new Map<string, unknown>();
  let damagedLines = 0;
  let totalLines = 0;
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(0x0a, start);
    if (end === -1) end = bytes.length;
    if (end === start) continue;
    totalLines++;
    const json = bytes.subarray(start + checksumBytes, end);
    const isWhole =
      json.length > 0 && crc32(json) === Number.parseInt(bytes.toString('latin1', start, start + 8), 16);
    if (!isWhole) {
      damagedLines++;
      continue;
    }
    const [key, ...value] = JSON.parse(json.toString()) as [string, unknown?];
    if (value.length === 0) values.delete(key);
    else values.set(key, value[0]);
  }
  return { values, damagedLines, totalLines };
}

/** Eight hex digits and a space. */
const checksumBytes = 9;

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { readingLimits } from '../../../src/definitions/index.ts';
import { ReadingProblem } from './reading-problem.ts';

/**
 * The bytes of a regular file within the size limit that did not change while it was read. Throws a `ReadingProblem` or a
 * system error. Never blocks: a FIFO or a device at this path is opened without waiting and refused.
 */
export function readFileBytes(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    for (let attempt = 0; attempt <= readingLimits.maxRereads; attempt++) {
      const before = fstatSync(descriptor);
      if (!before.isFile()) throw new ReadingProblem('not-a-file', 'This is not a regular file. Remove it.');
      if (before.size > readingLimits.maxFileBytes) throw tooLarge(before.size);
      const bytes = readAll(descriptor, before.size);
      if (bytes !== undefined && isSame(before, fstatSync(descriptor))) return bytes;
    }
  } finally {
    closeSync(descriptor);
  }
  throw new ReadingProblem(
    'file-changing',
    'This file changed while it was read. Apply again when it is complete.',
  );
}

/** The text of UTF-8 bytes, without a byte order mark. */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new ReadingProblem(
      'invalid-utf8',
      'This line is not valid UTF-8. Save the file as UTF-8.',
      badLineOf(bytes),
    );
  }
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}

/** Undefined when the file does not have `size` bytes. */
function readAll(descriptor: number, size: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafeSlow(size + 1);
  let filled = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, filled);
    if (count === 0) break;
    filled += count;
    if (filled > size) return undefined;
  }
  return filled === size ? buffer.subarray(0, size) : undefined;
}

function isSame(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs;
}

function tooLarge(size: number): ReadingProblem {
  const message = `This file has ${size} bytes; ${readingLimits.maxFileBytes} are allowed. Split it.`;
  return new ReadingProblem('too-large', message);
}

function badLineOf(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}

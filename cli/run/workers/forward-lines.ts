import type { Readable, Writable } from 'node:stream';

const newline = 10;

/** Passes on whole lines only, so that the lines of several processes never mix. */
export function forwardLines(source: Readable, target: Writable): void {
  let rest: Buffer = Buffer.alloc(0);
  source.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, chunk]);
      return;
    }
    const lines = Buffer.concat([rest, chunk.subarray(0, end)]);
    rest = Buffer.from(chunk.subarray(end));
    if (target.write(lines)) return;
    source.pause();
    target.once('drain', () => source.resume());
  });
}

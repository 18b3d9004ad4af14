import type { FileHandle } from 'node:fs/promises';

const blockBytes = 64 << 10;

/** Cuts off what follows the last line end: a line that a crash left unfinished. Answers how many bytes that were. */
export async function cutTornTail(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const keep = await findEndOfLines(file, size);
  if (keep < size) await file.truncate(keep);
  return size - keep;
}

async function findEndOfLines(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(Math.min(blockBytes, size));
  for (let end = size; end > 0; end -= block.length) {
    const start = Math.max(0, end - block.length);
    await file.read(block, 0, end - start, start);
    const lineEnd = block.subarray(0, end - start).lastIndexOf(0x0a);
    if (lineEnd !== -1) return start + lineEnd + 1;
  }
  return 0;
}

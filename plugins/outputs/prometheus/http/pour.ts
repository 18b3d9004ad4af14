import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * One chunk after another, each when the one before has gone out, so that all are made in the same memory: new memory for
 * each would cost as much again. A reader as fast as this process holds up nobody: others have their turn between two.
 */
export async function pour(chunks: Iterable<Buffer>, target: Writable): Promise<void> {
  for (const chunk of chunks) {
    await new Promise<void>((resolve, reject) => {
      target.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    await nextTurn();
  }
  target.end();
}

import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { LineTarget } from './group-writer.ts';

const writeTo = promisify(write);
const fullPipePauseMs = 10;

/** Writes to an open descriptor. Standard output is 1. */
export function createDescriptorTarget(descriptor: number): LineTarget {
  const end = new AbortController();
  return {
    async write(bytes) {
      try {
        return (await writeTo(descriptor, bytes)).bytesWritten;
      } catch (error) {
        if (!isFullPipe(error)) throw error;
        await sleep(fullPipePauseMs, undefined, { signal: end.signal });
        return 0;
      }
    },
    async finishGroup() {},
    async close() {
      end.abort();
    },
  };
}

/** A pipe that a parent process made non-blocking returns an error instead of waiting for its reader. */
function isFullPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

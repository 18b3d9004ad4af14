import { argv, memoryUsage } from 'node:process';
import { openQueue } from './open-queue.ts';

export interface QueueStart {
  readonly openMs: number;
  /** From the same start until the first group is read. */
  readonly firstGroupMs: number;
  readonly residentMib: number;
}

/** usage: start-child DIRECTORY. Opens a queue that another process has filled and reads its first group. */
const begunMs = performance.now();
const queue = await openQueue(argv[2]!);
const openMs = performance.now() - begunMs;
await queue.peek(500);
const firstGroupMs = performance.now() - begunMs;
const start: QueueStart = { openMs, firstGroupMs, residentMib: memoryUsage.rss() / 2 ** 20 };
console.log(JSON.stringify(start));
await queue.close();

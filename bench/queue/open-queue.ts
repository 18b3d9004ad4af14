import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';

/** A queue as an output has it by default, but for its limits: it takes whatever comes. */
export function openQueue(directory: string): Promise<DiskQueue> {
  const settings = {
    directory,
    maxBytes: 2 ** 36,
    maxAgeMs: 0,
    whenFull: 'drop_newest',
    syncEveryMs: 200,
  } as const;
  return DiskQueue.open(settings, { onError: (error) => console.error(error) });
}

import { DiskQueue } from '../../src/pipeline/queue/disk-queue.ts';

/** A queue with the default settings of an output, but without limits. */
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

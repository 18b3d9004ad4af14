import type { ErrorTable } from '../kernel/errors.ts';

export const storageErrors = {
  QUEUE_OF_LATER_VERSION:
    'The queue file {file} is of version {version}, which a later Waywiser wrote. Run that version until the queue is empty, or move the file away.',
  QUEUE_FILE_UNREADABLE:
    'The disk does not give the queue file {file} back, or it is gone. What cannot be read of it counts as lost; the rest is delivered. Look at the disk.',
} as const satisfies ErrorTable;

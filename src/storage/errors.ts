import type { ErrorTable } from '../kernel/errors.ts';

export const storageErrors = {
  QUEUE_OF_LATER_VERSION:
    'The queue file {file} has version {version}, which a later Waywiser wrote. Run that version until the queue is empty, or move the file away.',
  QUEUE_FILE_UNREADABLE:
    'The queue file {file} cannot be read, or it is missing. Its unreadable batches count as lost; the others are delivered. Check the disk.',
} as const satisfies ErrorTable;

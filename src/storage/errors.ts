import type { ErrorTable } from '../kernel/errors.ts';

export const storageErrors = {
  QUEUE_OF_LATER_VERSION:
    'The queue file {file} is of version {version}, which a later Waywiser wrote. Run that version until the queue is empty, or move the file away.',
} as const satisfies ErrorTable;

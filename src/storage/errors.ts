import type { ErrorTable } from '../kernel/errors.ts';

export const storageErrors = {
  QUEUE_OF_LATER_VERSION:
    'The queue file {file} has version {version}, which a later Waywiser wrote. Run that version until the queue is empty, or move the file away.',
  QUEUE_FILE_UNREADABLE:
    'The queue file {file} cannot be read, or it is missing. Its unreadable batches count as lost; the others are delivered. Check the disk.',
  DIRECTORY_IN_USE:
    'The directory {directory} is in use by another collector: {holder}. Two collectors would deliver the same batches. Stop the other one, or give this one its own state_directory and disk_queue.directory.',
  DIRECTORY_TAKEN_OVER:
    'Another collector has taken over the directory {directory}: {holder}. It saw no sign of life of this one, which stops now. Make sure that only one of them is started.',
  DIRECTORY_NOT_LOCKED:
    'The directory {directory} cannot be used: {reason}. The collector must be able to create and change files in it. Correct that, or configure another directory.',
} as const satisfies ErrorTable;

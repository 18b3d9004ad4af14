import type { ErrorTable } from '../../../kernel/errors.ts';

export const outputReadErrors = {
  STORED_PATH_UNREADABLE:
    '{path} cannot be read to its end: {reason}. Where a running collector removes files meanwhile, read a copy.',
  STORED_PATH_MISSING:
    'There is no file or directory {path}. A queue is queues/OUTPUT in the state directory.',
  STORED_PATH_UNKNOWN:
    '{path} holds no batches. Name the directory of a disk queue or of batch-files, a file in it by its own name (such as 0000000000000001-1a2b3c4d.segment), or dead letters (….ndjson).',
  STORED_BATCHES_LOST:
    '{lost} of {path} cannot be read: bytes are damaged or missing. All others were printed.',
} as const satisfies ErrorTable;

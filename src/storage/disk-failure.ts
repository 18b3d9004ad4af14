import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { defineErrors } from '../kernel/errors.ts';
import { systemReasonOf } from '../kernel/system-reason.ts';
import { storageErrors } from './errors.ts';

const failure = defineErrors(storageErrors);

/** Whether a write failed because the disk is full, so that freeing space helps. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether the disk cannot read the bytes at all, rather than only at the moment. */
export function isUnreadable(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EIO' || code === 'EBADMSG' || code === 'EUCLEAN';
}

/** Whether the file does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/**
 * Throws DIRECTORY_NOT_LOCKED when nothing could be written to `directory`, or when it could not be made: one of its parents is a
 * file or read-only. Nothing is made.
 */
export function checkWritable(directory: string): void {
  let place = directory;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    if (!statSync(place).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw failure('DIRECTORY_NOT_LOCKED', { directory, reason: systemReasonOf(error) });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

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

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

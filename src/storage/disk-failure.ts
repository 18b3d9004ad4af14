/** Whether a disk refused to write for want of room, so that room helps. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether a disk says that it cannot give bytes back that it holds, and not that it cannot be asked now. */
export function isUnreadable(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EIO' || code === 'EBADMSG' || code === 'EUCLEAN';
}

/** Whether a file is not there any more. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

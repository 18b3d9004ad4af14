/** Why a file or a directory could not be read or written, in words; a rare reason by its code. */
export function fileReasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'the permission is missing',
  EPERM: 'the permission is missing',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is no directory',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
};

/** Why the system refused something with a file, a directory or a port. A rare reason is given as its code. */
export function fileReasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EEXIST: 'something with that name exists already',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  ELOOP: 'its path has too many symbolic links, or a circle of them',
  ENAMETOOLONG: 'its name is too long',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than a file may be',
  EMFILE: 'the process has too many open files',
  ENFILE: 'the system has too many open files',
  EBUSY: 'something else is using it',
  ETXTBSY: 'something else is using it',
  EIO: 'the disk reports an error',
};

/** Why the system refused something with a file, a directory, a port or a connection. A rare reason is given as its code. */
export function systemReasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return reasons[code] ?? code;
}

/** What the system refused and why, as in `/etc/key.pem: permission is denied`; undefined for an error of another kind. */
export function explainSystemError(error: Error): string | undefined {
  const { code, syscall, path, hostname, address, port } = error as Error & SystemDetails;
  const reason = syscall === undefined || code === undefined ? undefined : reasons[code];
  if (reason === undefined) return undefined;
  const place = address === undefined || port === undefined ? address : `${address} port ${port}`;
  const subject = path ?? hostname ?? place;
  return subject === undefined ? reason : `${subject}: ${reason}`;
}

/** What Node.js adds to the errors of the system. Browsers compile this file too, for the client. */
interface SystemDetails {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EEXIST: 'something with that name exists already',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  ENOTEMPTY: 'the directory is not empty',
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
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'no interface of this machine has the address',
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the other side closed the connection',
  EPIPE: 'the other side closed the connection',
  ETIMEDOUT: 'there was no answer in time',
  EHOSTUNREACH: 'no route leads to the host',
  ENETUNREACH: 'no route leads to the network',
  EHOSTDOWN: 'the host is down',
  ENOTFOUND: 'the name servers know no address for this name; check its spelling',
  EAI_AGAIN: 'no name server answers; check the name servers of this machine and its network, then try again',
  ENODATA: 'the name has no address of the kind that is needed',
};

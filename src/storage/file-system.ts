import {
  close,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  open,
  openSync,
  read,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFile,
  writeFileSync,
  writevSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { makeFolder } from '../kernel/make-folder.ts';
import { isMissing } from './disk-failure.ts';

/**
 * How a file is opened. `new` fails if the file exists; `existing` and `read` fail if it does not. `append` creates the file if needed;
 * `replace` also empties it. In these two modes, every write goes to the end of the file.
 */
export type OpenMode = 'new' | 'existing' | 'read' | 'append' | 'replace';

/** Everything that this folder asks of a disk. Tests replace it with a disk that is full, fails, or stops at any step. */
export interface FileSystem {
  makeDirectory(path: string): void;
  list(directory: string): readonly string[];
  readFile(path: string): Buffer;
  open(path: string, mode: OpenMode): number;
  size(descriptor: number): number;
  /** Returns `size` bytes from `position` on, or fewer at the end of the file. The caller must not change them. */
  read(descriptor: number, position: number, size: number): Promise<Buffer>;
  /** Like `read`, but blocks: for bytes that were written a short time ago, so that they are in memory. */
  readNow(descriptor: number, position: number, size: number): Buffer;
  /** Writes as much as one call can, and returns how much that was. */
  write(descriptor: number, parts: readonly Uint8Array[], position: number): number;
  /** Writes all bytes to the end of the file. When it throws, some of them may be in the file. */
  append(descriptor: number, bytes: Buffer): void;
  /** Like `append`, without blocking. */
  appendLater(descriptor: number, bytes: Buffer): Promise<void>;
  truncate(descriptor: number, size: number): void;
  sync(descriptor: number): Promise<void>;
  /** Like `sync`, but blocks. */
  syncNow(descriptor: number): void;
  close(descriptor: number): void;
  copy(from: string, to: string): void;
  /** Replaces the file at `to`, if there is one. */
  rename(from: string, to: string): void;
  /** Does nothing if the file does not exist. */
  remove(path: string): void;
  /** Resolves when the names in the directory are on the disk, as far as the file system can promise that. */
  syncDirectory(path: string): Promise<void>;
  /** Like `syncDirectory`, but blocks. */
  syncDirectoryNow(path: string): void;
}

const appending = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
const flags: Readonly<Record<OpenMode, string | number>> = {
  new: 'wx+',
  existing: 'r+',
  read: 'r',
  append: appending,
  replace: appending | constants.O_TRUNC,
};
const [openLater, closeLater, syncLater] = [promisify(open), promisify(close), promisify(fsync)];
const [readLater, writeFileLater] = [promisify(read), promisify(writeFile)];

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  makeDirectory: (path) => makeFolder(path, 0o700),
  list: (directory) => readdirSync(directory),
  readFile: (path) => readFileSync(path),
  open: (path, mode) => openSync(path, flags[mode], 0o600),
  size: (descriptor) => fstatSync(descriptor).size,
  async read(descriptor, position, size) {
    const bytes = Buffer.allocUnsafe(size);
    for (let done = 0; done < size; ) {
      const { bytesRead } = await readLater(descriptor, bytes, done, size - done, position + done);
      if (bytesRead === 0) return bytes.subarray(0, done);
      done += bytesRead;
    }
    return bytes;
  },
  readNow(descriptor, position, size) {
    const bytes = Buffer.allocUnsafe(size);
    for (let done = 0; done < size; ) {
      const count = readSync(descriptor, bytes, done, size - done, position + done);
      if (count === 0) return bytes.subarray(0, done);
      done += count;
    }
    return bytes;
  },
  write: (descriptor, parts, position) => writevSync(descriptor, parts, position),
  append: (descriptor, bytes) => writeFileSync(descriptor, bytes),
  // The promises of node:fs take a path or a handle, and no descriptor.
  appendLater: writeFileLater as FileSystem['appendLater'],
  truncate: ftruncateSync,
  sync: syncLater,
  syncNow: fsyncSync,
  close: closeSync,
  copy: (from, to) => copyFileSync(from, to),
  rename: renameSync,
  remove(path) {
    try {
      unlinkSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  },
  async syncDirectory(path) {
    try {
      const descriptor = await openLater(path, 'r');
      await syncLater(descriptor).finally(() => closeLater(descriptor));
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
  },
  syncDirectoryNow(path) {
    try {
      const descriptor = openSync(path, 'r');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
  },
};

/** Some systems cannot open a directory, and some file servers cannot sync one: they store names in their own way. */
function isUnsupported(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['EINVAL', 'EISDIR', 'EPERM', 'EACCES', 'ENOTSUP'].includes(code);
}

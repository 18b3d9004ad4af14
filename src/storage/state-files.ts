import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { syncDirectory, syncDirectoryNow } from './directory-sync.ts';

/** What files that hold state ask of the file system, so that a test can let it fail, or the process end, at any step. */
export interface StateFiles {
  makeDirectory(path: string): void;
  /** All of a file. */
  read(path: string): Buffer;
  /** Makes a file where there is none; `anew` empties it where there is one. What is written goes to its end. */
  open(path: string, mode: 'append' | 'anew'): number;
  size(descriptor: number): number;
  /** Writes all of it. When it throws, some of it may be there. */
  write(descriptor: number, bytes: Buffer): void;
  /** As `write`, beside other work. */
  writeLater(descriptor: number, bytes: Buffer): Promise<void>;
  truncate(descriptor: number, size: number): void;
  sync(descriptor: number): Promise<void>;
  syncNow(descriptor: number): void;
  close(descriptor: number): void;
  copy(from: string, to: string): void;
  /** Takes the place of what was at `to`. */
  rename(from: string, to: string): void;
  /** Nothing happens where there is none. */
  remove(path: string): void;
  /** The names in it are on the disk. */
  syncDirectory(path: string): Promise<void>;
  syncDirectoryNow(path: string): void;
}

const appending = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;

export const nodeStateFiles: StateFiles = {
  makeDirectory: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  read: (path) => readFileSync(path),
  open: (path, mode) => openSync(path, appending | (mode === 'anew' ? constants.O_TRUNC : 0), 0o600),
  size: (descriptor) => fstatSync(descriptor).size,
  write: (descriptor, bytes) => writeFileSync(descriptor, bytes),
  writeLater: promisify(writeFile) as StateFiles['writeLater'],
  truncate: ftruncateSync,
  sync: promisify(fsync),
  syncNow: fsyncSync,
  close: closeSync,
  copy: (from, to) => copyFileSync(from, to),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncDirectory,
  syncDirectoryNow,
};

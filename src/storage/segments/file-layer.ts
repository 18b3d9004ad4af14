import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  unlinkSync,
  writevSync,
} from 'node:fs';
import { promisify } from 'node:util';

/** What a record log asks of the file system, so that a test can put a full or failing disk in its place. */
export interface FileLayer {
  makeDirectory(path: string): void;
  list(directory: string): readonly string[];
  /** `new` fails when there is such a file already. */
  open(path: string, mode: 'new' | 'existing'): number;
  size(descriptor: number): number;
  /** Writes as much as it can with one call, and answers how much that was. */
  write(descriptor: number, parts: readonly Uint8Array[], position: number): number;
  /** The bytes there: `size`, or fewer where the file ends. Nobody writes into them. */
  read(descriptor: number, position: number, size: number): Promise<Buffer>;
  truncate(descriptor: number, size: number): void;
  sync(descriptor: number): Promise<void>;
  syncNow(descriptor: number): void;
  close(descriptor: number): void;
  remove(path: string): void;
}

const readInto = promisify(read);

/** The disk, by node:fs. */
export const nodeFiles: FileLayer = {
  makeDirectory(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  },
  list: (directory) => readdirSync(directory),
  open: (path, mode) => openSync(path, mode === 'new' ? 'wx+' : 'r+', 0o600),
  size: (descriptor) => fstatSync(descriptor).size,
  write: (descriptor, parts, position) => writevSync(descriptor, parts, position),
  async read(descriptor, position, size) {
    const bytes = Buffer.allocUnsafe(size);
    for (let done = 0; done < size; ) {
      const { bytesRead } = await readInto(descriptor, bytes, done, size - done, position + done);
      if (bytesRead === 0) return bytes.subarray(0, done);
      done += bytesRead;
    }
    return bytes;
  },
  truncate: ftruncateSync,
  sync: promisify(fsync),
  syncNow: fsyncSync,
  close: closeSync,
  remove: unlinkSync,
};

import { type FileSystem, nodeFileSystem, type OpenMode } from '../../../src/storage/file-system.ts';

export interface FailingFiles extends FileSystem {
  /** How much fits on the disk: files grow up to it, the last write only in part, and then fail as on a full disk. */
  quotaBytes: number;
  readonly usedBytes: number;
  /** The error of every write. */
  writing: Error | undefined;
  /** The error of a read that touches bytes from `from` to `to` of the file. */
  reading:
    | { readonly error: Error; readonly path: string; readonly from: number; readonly to: number }
    | undefined;
  /** The error of each attempt to open that file. */
  opening: { readonly error: Error; readonly path: string } | undefined;
}

/** A real directory on a disk that is full or fails as a test wants. */
export function createFailingFiles(quotaBytes = Number.MAX_SAFE_INTEGER): FailingFiles {
  const sizes = new Map<string, number>();
  const paths = new Map<number, string>();
  const files: FailingFiles = {
    ...nodeFileSystem,
    quotaBytes,
    writing: undefined,
    reading: undefined,
    opening: undefined,
    usedBytes: 0,

    open(path: string, mode: OpenMode): number {
      if (mode === 'new' && files.writing !== undefined) throw files.writing;
      if (files.opening?.path === path) throw files.opening.error;
      const descriptor = nodeFileSystem.open(path, mode);
      paths.set(descriptor, path);
      sizes.set(path, nodeFileSystem.size(descriptor));
      return descriptor;
    },

    async read(descriptor, position, size) {
      const { reading } = files;
      const isHit = reading !== undefined && paths.get(descriptor) === reading.path;
      if (isHit && position < reading.to && position + size > reading.from) throw reading.error;
      return nodeFileSystem.read(descriptor, position, size);
    },

    write(descriptor, parts, position) {
      if (files.writing !== undefined) throw files.writing;
      const bytes = Buffer.concat(parts);
      const path = paths.get(descriptor)!;
      const before = sizes.get(path)!;
      const growth = position + bytes.length - before;
      const room = Math.max(0, files.quotaBytes - files.usedBytes);
      const fits = growth <= room ? bytes.length : Math.max(0, bytes.length - growth + room);
      if (fits === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const written = nodeFileSystem.write(descriptor, [bytes.subarray(0, fits)], position);
      sizes.set(path, Math.max(before, position + written));
      return written;
    },

    truncate(descriptor, size) {
      nodeFileSystem.truncate(descriptor, size);
      sizes.set(paths.get(descriptor)!, size);
    },

    remove(path) {
      nodeFileSystem.remove(path);
      sizes.delete(path);
    },

    rename(from, to) {
      nodeFileSystem.rename(from, to);
      sizes.set(to, sizes.get(from) ?? 0);
      sizes.delete(from);
      // A file that is open keeps its descriptor.
      for (const [descriptor, path] of paths) if (path === from) paths.set(descriptor, to);
    },
  };
  const usedBytes = () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return Object.defineProperty(files, 'usedBytes', { get: usedBytes });
}

import { type FileLayer, nodeFiles } from '../../../src/storage/segments/file-layer.ts';

/** A disk that fails as it is told to. */
export class FailingFiles implements FileLayer {
  /** What every write fails with. */
  writing: Error | undefined;
  /** What a read fails with that touches bytes from `from` to `to` of the file. */
  reading:
    | { readonly error: Error; readonly path: string; readonly from: number; readonly to: number }
    | undefined;
  /** What each attempt to open that file fails with. */
  opening: { readonly error: Error; readonly path: string } | undefined;
  readonly #paths = new Map<number, string>();

  makeDirectory = nodeFiles.makeDirectory;
  list = nodeFiles.list;
  size = nodeFiles.size;
  truncate = nodeFiles.truncate;
  sync = nodeFiles.sync;
  syncNow = nodeFiles.syncNow;
  close = nodeFiles.close;
  remove = nodeFiles.remove;

  open(path: string, mode: 'new' | 'existing'): number {
    if (mode === 'new' && this.writing !== undefined) throw this.writing;
    if (this.opening?.path === path) throw this.opening.error;
    const descriptor = nodeFiles.open(path, mode);
    this.#paths.set(descriptor, path);
    return descriptor;
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    if (this.writing !== undefined) throw this.writing;
    return nodeFiles.write(descriptor, parts, position);
  }

  async read(descriptor: number, position: number, size: number): Promise<Buffer> {
    const { reading } = this;
    const isHit = reading !== undefined && this.#paths.get(descriptor) === reading.path;
    if (isHit && position < reading.to && position + size > reading.from) throw reading.error;
    return nodeFiles.read(descriptor, position, size);
  }
}

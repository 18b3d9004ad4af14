import { type FileLayer, nodeFiles } from '../../../src/storage/segments/file-layer.ts';

/** A disk that fails as it is told to. */
export class FailingFiles implements FileLayer {
  /** What every write fails with. */
  writing: Error | undefined;
  /** What a read fails with that touches bytes from `from` to `to` of a file. */
  reading: { readonly error: Error; readonly from: number; readonly to: number } | undefined;
  reads = 0;

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
    return nodeFiles.open(path, mode);
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    if (this.writing !== undefined) throw this.writing;
    return nodeFiles.write(descriptor, parts, position);
  }

  async read(descriptor: number, position: number, size: number): Promise<Buffer> {
    this.reads++;
    const { error, from, to } = this.reading ?? { error: undefined, from: 0, to: 0 };
    if (error !== undefined && position < to && position + size > from) throw error;
    return nodeFiles.read(descriptor, position, size);
  }
}

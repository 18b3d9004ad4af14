import { type FileLayer, nodeFiles } from '../../../src/storage/segments/file-layer.ts';

/** A disk of `quotaBytes`: files grow as far as it goes, the last write in part, and then fail as a full disk does. */
export class QuotaFiles implements FileLayer {
  quotaBytes: number;
  readonly #sizes = new Map<string, number>();
  readonly #paths = new Map<number, string>();

  constructor(quotaBytes: number) {
    this.quotaBytes = quotaBytes;
  }

  get usedBytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  makeDirectory = nodeFiles.makeDirectory;
  list = nodeFiles.list;
  size = nodeFiles.size;
  read = nodeFiles.read;
  sync = nodeFiles.sync;
  syncNow = nodeFiles.syncNow;
  close = nodeFiles.close;

  open(path: string, mode: 'new' | 'existing'): number {
    const descriptor = nodeFiles.open(path, mode);
    this.#paths.set(descriptor, path);
    this.#sizes.set(path, nodeFiles.size(descriptor));
    return descriptor;
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    const bytes = Buffer.concat(parts);
    const path = this.#paths.get(descriptor)!;
    const before = this.#sizes.get(path)!;
    const growth = position + bytes.length - before;
    const room = Math.max(0, this.quotaBytes - this.usedBytes);
    const fits = growth <= room ? bytes.length : Math.max(0, bytes.length - growth + room);
    if (fits === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const written = nodeFiles.write(descriptor, [bytes.subarray(0, fits)], position);
    this.#sizes.set(path, Math.max(before, position + written));
    return written;
  }

  truncate(descriptor: number, size: number): void {
    nodeFiles.truncate(descriptor, size);
    this.#sizes.set(this.#paths.get(descriptor)!, size);
  }

  remove(path: string): void {
    nodeFiles.remove(path);
    this.#sizes.delete(path);
  }
}

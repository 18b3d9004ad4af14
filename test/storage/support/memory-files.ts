import type { FileLayer } from '../../../src/storage/segments/file-layer.ts';

/** Files of one directory in memory, by path: for runs over more damaged files than a disk could be asked to write. */
export class MemoryFiles implements FileLayer {
  readonly #files = new Map<string, Buffer>();
  readonly #open: string[] = [];

  constructor(files: Readonly<Record<string, Buffer>> = {}) {
    for (const [path, bytes] of Object.entries(files)) this.#files.set(path, bytes);
  }

  get(path: string): Buffer {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw new Error(`There is no file ${path}.`);
    return bytes;
  }

  makeDirectory(): void {}

  list(): readonly string[] {
    return [...this.#files.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1));
  }

  open(path: string, mode: 'new' | 'existing'): number {
    if (mode === 'new') this.#files.set(path, Buffer.alloc(0));
    return this.#open.push(path) - 1;
  }

  size(descriptor: number): number {
    return this.#bytesOf(descriptor).length;
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    const written = Buffer.concat(parts);
    const end = position + written.length;
    let bytes = this.#bytesOf(descriptor);
    if (end > bytes.length) {
      bytes = Buffer.concat([bytes], end);
      this.#files.set(this.#open[descriptor]!, bytes);
    }
    written.copy(bytes, position);
    return written.length;
  }

  async read(descriptor: number, position: number, size: number): Promise<Buffer> {
    return this.#bytesOf(descriptor).subarray(position, position + size);
  }

  truncate(descriptor: number, size: number): void {
    this.#files.set(this.#open[descriptor]!, this.#bytesOf(descriptor).subarray(0, size));
  }

  async sync(): Promise<void> {}
  syncNow(): void {}
  close(): void {}

  remove(path: string): void {
    this.#files.delete(path);
  }

  #bytesOf(descriptor: number): Buffer {
    return this.get(this.#open[descriptor]!);
  }
}

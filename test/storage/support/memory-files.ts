import type { FileLayer } from '../../../src/storage/segments/file-layer.ts';

/** Files of one directory in memory, by path: for runs over more damaged files than a disk could be asked to write. */
export class MemoryFiles implements FileLayer {
  readonly #files = new Map<string, Buffer>();
  readonly #open: string[] = [];

  constructor(files: Readonly<Record<string, Buffer>> = {}) {
    for (const [path, bytes] of Object.entries(files)) this.#files.set(path, bytes);
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
    const before = this.#bytesOf(descriptor);
    const after = Buffer.alloc(Math.max(before.length, position + written.length));
    before.copy(after);
    written.copy(after, position);
    this.#files.set(this.#open[descriptor]!, after);
    return written.length;
  }

  async read(descriptor: number, into: Uint8Array, position: number): Promise<number> {
    const bytes = this.#bytesOf(descriptor).subarray(position, position + into.length);
    into.set(bytes);
    return bytes.length;
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
    return this.#files.get(this.#open[descriptor]!)!;
  }
}

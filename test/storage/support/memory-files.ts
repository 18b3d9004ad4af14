import type { FileSystem, OpenMode } from '../../../src/storage/file-system.ts';

interface Inode {
  bytes: Buffer;
  synced: Buffer;
}

/**
 * The files of one directory in memory, and what a machine would find of them after a power failure. For tests that need more damaged
 * files than a disk could write.
 */
export class MemoryFiles implements FileSystem {
  #names = new Map<string, Inode>();
  #syncedNames = new Map<string, Inode>();
  readonly #open: Inode[] = [];

  /** The buffers are the content of the files: writes inside them change them in place until a sync. */
  constructor(files: Readonly<Record<string, Buffer>> = {}) {
    for (const [path, bytes] of Object.entries(files)) {
      this.#names.set(path, { bytes, synced: Buffer.alloc(0) });
    }
  }

  get paths(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  /** Leaves only what was synced. */
  losePower(): void {
    this.#names = new Map(this.#syncedNames);
    for (const inode of this.#names.values()) inode.bytes = inode.synced;
  }

  makeDirectory(): void {}

  list(): readonly string[] {
    return [...this.#names.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1));
  }

  readFile(path: string): Buffer {
    return this.#get(path).bytes;
  }

  open(path: string, mode: OpenMode): number {
    if (mode === 'existing' || mode === 'read') return this.#open.push(this.#get(path)) - 1;
    let inode = this.#names.get(path);
    if (inode !== undefined && mode === 'new') {
      throw Object.assign(new Error(`${path} exists.`), { code: 'EEXIST' });
    }
    inode ??= { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
    if (mode === 'replace') inode.bytes = Buffer.alloc(0);
    this.#names.set(path, inode);
    return this.#open.push(inode) - 1;
  }

  size(descriptor: number): number {
    return this.#open[descriptor]!.bytes.length;
  }

  readNow(descriptor: number, position: number, size: number): Buffer {
    return this.#open[descriptor]!.bytes.subarray(position, position + size);
  }

  async read(descriptor: number, position: number, size: number): Promise<Buffer> {
    return this.#open[descriptor]!.bytes.subarray(position, position + size);
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    const inode = this.#open[descriptor]!;
    const written = Buffer.concat(parts);
    const size = Math.max(inode.bytes.length, position + written.length);
    const isSynced = inode.bytes === inode.synced;
    if (size > inode.bytes.length || isSynced) inode.bytes = Buffer.concat([inode.bytes], size);
    written.copy(inode.bytes, position);
    return written.length;
  }

  append(descriptor: number, bytes: Buffer): void {
    const inode = this.#open[descriptor]!;
    inode.bytes = Buffer.concat([inode.bytes, bytes]);
  }

  async appendLater(descriptor: number, bytes: Buffer): Promise<void> {
    this.append(descriptor, bytes);
  }

  truncate(descriptor: number, size: number): void {
    const inode = this.#open[descriptor]!;
    inode.bytes = inode.bytes.subarray(0, size);
  }

  async sync(descriptor: number): Promise<void> {
    this.syncNow(descriptor);
  }

  syncNow(descriptor: number): void {
    const inode = this.#open[descriptor]!;
    inode.synced = inode.bytes;
  }

  close(): void {}

  copy(from: string, to: string): void {
    this.#names.set(to, { bytes: this.#get(from).bytes, synced: Buffer.alloc(0) });
  }

  rename(from: string, to: string): void {
    this.#names.set(to, this.#get(from));
    this.#names.delete(from);
  }

  remove(path: string): void {
    this.#names.delete(path);
  }

  async syncDirectory(): Promise<void> {
    this.syncDirectoryNow();
  }

  syncDirectoryNow(): void {
    this.#syncedNames = new Map(this.#names);
  }

  #get(path: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw Object.assign(new Error(`There is no ${path}.`), { code: 'ENOENT' });
    return inode;
  }
}

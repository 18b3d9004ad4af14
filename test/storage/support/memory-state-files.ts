import type { StateFiles } from '../../../src/storage/state-files.ts';

interface Inode {
  bytes: Buffer;
  synced: Buffer;
}

/** Files of one directory in memory, and what of them a machine would find that lost its power now. */
export class MemoryStateFiles implements StateFiles {
  #names = new Map<string, Inode>();
  #syncedNames = new Map<string, Inode>();
  readonly #open: Inode[] = [];

  get paths(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  losePower(): void {
    this.#names = new Map(this.#syncedNames);
    for (const inode of this.#names.values()) inode.bytes = inode.synced;
  }

  makeDirectory(): void {}

  read(path: string): Buffer {
    return this.#get(path).bytes;
  }

  open(path: string, mode: 'append' | 'anew'): number {
    const inode = this.#names.get(path) ?? { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
    if (mode === 'anew') inode.bytes = Buffer.alloc(0);
    this.#names.set(path, inode);
    return this.#open.push(inode) - 1;
  }

  size(descriptor: number): number {
    return this.#open[descriptor]!.bytes.length;
  }

  write(descriptor: number, bytes: Buffer): void {
    const inode = this.#open[descriptor]!;
    inode.bytes = Buffer.concat([inode.bytes, bytes]);
  }

  async writeLater(descriptor: number, bytes: Buffer): Promise<void> {
    this.write(descriptor, bytes);
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

import type { FileSystem, OpenMode } from '../../../src/storage/file-system.ts';
import type { MemoryFiles } from './memory-files.ts';

export interface Crash {
  /** The change of the files at which the process crashes, counted from 0. */
  readonly atChange: number;
  /** Whether half of the bytes are written, if that change is a write. */
  readonly isTorn: boolean;
  /** With a code, only that change fails, with this code, and the process goes on. */
  readonly code?: string;
}

/** The files as one process sees them that crashes, or meets a failure, at one change. After a crash the files stay as they are. */
export class CrashingFiles implements FileSystem {
  readonly #files: MemoryFiles;
  readonly #crash: Crash;
  #changes = 0;
  /** Whether the process came to the change. */
  wasReached = false;

  constructor(files: MemoryFiles, crash: Crash) {
    this.#files = files;
    this.#crash = crash;
  }

  get hasCrashed(): boolean {
    return this.wasReached && this.#crash.code === undefined;
  }

  makeDirectory(): void {}

  /** In reverse order of the names: no file system promises an order. */
  list(): readonly string[] {
    return this.#files.list().toSorted().reverse();
  }

  readFile = (path: string): Buffer => this.#files.readFile(path);
  size = (descriptor: number): number => this.#files.size(descriptor);
  readNow = (descriptor: number, position: number, size: number): Buffer =>
    this.#files.readNow(descriptor, position, size);
  read = (descriptor: number, position: number, size: number): Promise<Buffer> =>
    this.#files.read(descriptor, position, size);
  close(): void {}

  open(path: string, mode: OpenMode): number {
    if (mode === 'new' || mode === 'replace' || (mode === 'append' && !this.#files.paths.includes(path))) {
      this.#change();
    }
    return this.#files.open(path, mode);
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    this.#change(() => {
      const bytes = Buffer.concat(parts);
      this.#files.write(descriptor, [bytes.subarray(0, bytes.length / 2)], position);
    });
    return this.#files.write(descriptor, parts, position);
  }

  append(descriptor: number, bytes: Buffer): void {
    this.#change(() => this.#files.append(descriptor, bytes.subarray(0, bytes.length / 2)));
    this.#files.append(descriptor, bytes);
  }

  async appendLater(descriptor: number, bytes: Buffer): Promise<void> {
    await Promise.resolve();
    this.append(descriptor, bytes);
  }

  truncate(descriptor: number, size: number): void {
    this.#change();
    this.#files.truncate(descriptor, size);
  }

  async sync(descriptor: number): Promise<void> {
    await Promise.resolve();
    this.syncNow(descriptor);
  }

  syncNow(descriptor: number): void {
    this.#change();
    this.#files.syncNow(descriptor);
  }

  copy(from: string, to: string): void {
    this.#change(() => {
      const half = this.#files.readFile(from);
      this.#files.append(this.#files.open(to, 'replace'), half.subarray(0, half.length / 2));
    });
    this.#files.copy(from, to);
  }

  rename(from: string, to: string): void {
    this.#change();
    this.#files.rename(from, to);
  }

  remove(path: string): void {
    if (this.#files.paths.includes(path)) this.#change();
    this.#files.remove(path);
  }

  async syncDirectory(): Promise<void> {
    await Promise.resolve();
    this.syncDirectoryNow();
  }

  syncDirectoryNow(): void {
    this.#change();
    this.#files.syncDirectoryNow();
  }

  #change(tear: () => void = () => {}): void {
    if (this.hasCrashed) throw new Error('killed');
    if (this.#changes++ !== this.#crash.atChange) return;
    this.wasReached = true;
    if (this.#crash.isTorn) tear();
    const { code } = this.#crash;
    throw Object.assign(new Error(code ?? 'killed'), code === undefined ? {} : { code });
  }
}

import type { StateFiles } from '../../../src/storage/state-files.ts';
import type { MemoryStateFiles } from './memory-state-files.ts';
import type { Death } from './mortal-files.ts';

export interface Trouble extends Death {
  /** That change alone fails with such a code; without one it and all others do, as those of a dead process. */
  readonly code?: string;
}

/** The files as a process sees them that meets trouble at one change of them. */
export class TroubledStateFiles implements StateFiles {
  readonly #files: MemoryStateFiles;
  readonly #trouble: Trouble;
  #changes = 0;
  /** Whether it came to the trouble. */
  wasMet = false;

  constructor(files: MemoryStateFiles, trouble: Trouble) {
    this.#files = files;
    this.#trouble = trouble;
  }

  get isDead(): boolean {
    return this.wasMet && this.#trouble.code === undefined;
  }

  makeDirectory(): void {}
  read = (path: string): Buffer => this.#files.read(path);
  size = (descriptor: number): number => this.#files.size(descriptor);
  close(): void {}

  open(path: string, mode: 'append' | 'anew'): number {
    if (mode === 'anew' || !this.#files.paths.includes(path)) this.#change();
    return this.#files.open(path, mode);
  }

  write(descriptor: number, bytes: Buffer): void {
    this.#change(() => this.#files.write(descriptor, bytes.subarray(0, bytes.length / 2)));
    this.#files.write(descriptor, bytes);
  }

  async writeLater(descriptor: number, bytes: Buffer): Promise<void> {
    await Promise.resolve();
    this.write(descriptor, bytes);
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
      const half = this.#files.read(from);
      this.#files.write(this.#files.open(to, 'anew'), half.subarray(0, half.length / 2));
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
    if (this.isDead) throw new Error('killed');
    if (this.#changes++ !== this.#trouble.atChange) return;
    this.wasMet = true;
    if (this.#trouble.isTorn) tear();
    const { code } = this.#trouble;
    throw Object.assign(new Error(code ?? 'killed'), code === undefined ? {} : { code });
  }
}

import type { FileLayer } from '../../../src/storage/segments/file-layer.ts';
import type { MemoryFiles } from './memory-files.ts';

export interface Death {
  /** The change of the file system that the process does not come to any more, counted from 0. */
  readonly atChange: number;
  /** Whether half of the bytes are there all the same, where that change is a write. */
  readonly isTorn: boolean;
}

/** The files as one process sees them: from its death on they stay as they are, whatever it asks for. */
export class MortalFiles implements FileLayer {
  readonly #files: MemoryFiles;
  readonly #death: Death;
  #changes = 0;
  isDead = false;

  constructor(files: MemoryFiles, death: Death) {
    this.#files = files;
    this.#death = death;
  }

  makeDirectory(): void {}

  /** In the order of their names backwards: no file system promises any. */
  list(): readonly string[] {
    return this.#files.list().toSorted().reverse();
  }

  open(path: string, mode: 'new' | 'existing'): number {
    if (mode === 'new') this.#change();
    return this.#files.open(path, mode);
  }

  write(descriptor: number, parts: readonly Uint8Array[], position: number): number {
    this.#change(() => {
      const bytes = Buffer.concat(parts);
      this.#files.write(descriptor, [bytes.subarray(0, bytes.length / 2)], position);
    });
    return this.#files.write(descriptor, parts, position);
  }

  truncate(descriptor: number, size: number): void {
    this.#change();
    this.#files.truncate(descriptor, size);
  }

  remove(path: string): void {
    this.#change();
    this.#files.remove(path);
  }

  size = (descriptor: number): number => this.#files.size(descriptor);
  read = (descriptor: number, position: number, size: number): Promise<Buffer> =>
    this.#files.read(descriptor, position, size);
  async sync(): Promise<void> {}
  syncNow(): void {}
  close(): void {}

  #change(tear: () => void = () => {}): void {
    if (!this.isDead && this.#changes++ === this.#death.atChange) {
      if (this.#death.isTorn) tear();
      this.isDead = true;
    }
    if (this.isDead) throw new Error('killed');
  }
}

import { BatchFault } from '../../../src/index.ts';
import { type FileSystem, isMissing } from '../../../src/storage/index.ts';
import { RecentFile } from './recent-file.ts';

/**
 * The recent file that was sorted last. The first rates of the next file compare with its last values. One that an earlier process
 * sorted is only read when they are needed, so that a start does not wait for it.
 */
export class SortedFile {
  readonly number: number;
  readonly path: string;
  readonly bytes: number;
  readonly #files: FileSystem;
  #file: RecentFile | undefined;

  private constructor(files: FileSystem, number: number, path: string, bytes: number) {
    this.#files = files;
    this.number = number;
    this.path = path;
    this.bytes = bytes;
  }

  static of(files: FileSystem, number: number, file: RecentFile): SortedFile {
    const sorted = new SortedFile(files, number, file.path, file.bytes);
    file.keepLast();
    sorted.#file = file;
    return sorted;
  }

  /** One of an earlier process. */
  static at(files: FileSystem, number: number, path: string, bytes: number): SortedFile {
    return new SortedFile(files, number, path, bytes);
  }

  /** Undefined when the file is damaged as a whole, or gone. */
  async open(onDamage: (path: string, error?: unknown) => void): Promise<RecentFile | undefined> {
    if (this.#file !== undefined) return this.#file;
    try {
      this.#file = await RecentFile.open(this.#files, this.path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!(error instanceof BatchFault)) throw error;
      onDamage(this.path, error);
      return undefined;
    }
    if (this.#file === undefined || this.#file.damaged > 0) onDamage(this.path);
    this.#file?.keepLast();
    return this.#file;
  }

  remove(): void {
    this.close();
    this.#files.remove(this.path);
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

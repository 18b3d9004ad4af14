import type { Batch } from '../../../../src/index.ts';

/** Where lines go. */
export interface LineTarget {
  /** Hands bytes to the kernel in one write and answers how many it took. */
  write(bytes: Buffer): Promise<number>;
  /** Called when every byte of a group is with the kernel, before the group counts as delivered. */
  finishGroup(): Promise<void>;
  /** What is written from then on rejects where it would have to wait or to open something anew. */
  close(): Promise<void>;
}

/**
 * Writes groups whole: what an attempt left unwritten goes first at the next one, so that a disk that was full for a while
 * tears no line and repeats none.
 */
export class GroupWriter {
  readonly #target: LineTarget;
  readonly #render: (batches: readonly Batch[]) => Buffer[];
  #unwritten: Buffer[] = [];
  #group: readonly Batch[] | undefined;
  #running: Promise<void> | undefined;

  constructor(target: LineTarget, render: (batches: readonly Batch[]) => Buffer[]) {
    this.#target = target;
    this.#render = render;
  }

  /** A group that comes again is continued; an attempt that was abandoned and still runs is joined. */
  write(batches: readonly Batch[]): Promise<void> {
    if (this.#group !== batches) {
      this.#unwritten.push(...this.#render(batches));
      this.#group = batches;
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    for (let bytes = this.#unwritten[0]; bytes !== undefined; bytes = this.#unwritten[0]) {
      const written = await this.#target.write(bytes);
      if (written < bytes.length) this.#unwritten[0] = bytes.subarray(written);
      else this.#unwritten.shift();
    }
    await this.#target.finishGroup();
  }
}

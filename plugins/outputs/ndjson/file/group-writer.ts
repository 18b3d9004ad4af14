import type { Batch } from '../../../../src/index.ts';

/** Where lines go. */
export interface LineTarget {
  /** Writes bytes with one system call and returns how many were written. */
  write(bytes: Buffer): Promise<number>;
  /** Called when all bytes of a group are written, before the group counts as delivered. */
  finishGroup(): Promise<void>;
  /** Later writes reject if they would have to wait or to open a file. */
  close(): Promise<void>;
}

/**
 * Writes groups completely: the next attempt first writes what the last one left, so that a full disk neither tears nor repeats a line.
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

  /** A repeated group continues where it stopped. If an abandoned attempt is still running, this one joins it. */
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

import { randomFillSync } from 'node:crypto';

// Four octets of content whatever the id, so that templates of one length serve all; old agents take no more than the last.
const firstId = 0x80_0000;
const lastId = 214_748_364;
const batch = 1024;

/** Request ids that nobody can guess, unique among those outstanding, never 0. */
export class RequestIds {
  readonly #random = new Uint32Array(batch);
  #used = batch;

  next(outstanding: { has(id: number): boolean }): number {
    for (;;) {
      if (this.#used === batch) {
        randomFillSync(this.#random);
        this.#used = 0;
      }
      const id = firstId + (this.#random[this.#used++]! % (lastId - firstId + 1));
      if (!outstanding.has(id)) return id;
    }
  }
}

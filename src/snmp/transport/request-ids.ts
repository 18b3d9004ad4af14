import { randomFillSync } from 'node:crypto';

// Ids always take four octets, so that all templates have the same length. Old agents accept nothing above the last one.
const firstId = 0x80_0000;
const lastId = 214_748_364;
const batch = 1024;

/** Unpredictable request ids, unique among the outstanding ones, never 0. */
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

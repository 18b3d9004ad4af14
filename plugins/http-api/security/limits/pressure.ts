import type { FastifyRequest } from 'fastify';
import { problem } from '../../problem/problem.ts';

const lookMs = 500;

/** Knows whether the event loop is behind its work. */
export class Pressure {
  readonly #timer: NodeJS.Timeout;
  #isHigh = false;

  constructor(maxDelayMs: number) {
    let expectedMs = performance.now() + lookMs;
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#isHigh = nowMs - expectedMs > maxDelayMs;
      expectedMs = nowMs + lookMs;
    }, lookMs);
  }

  readonly check = async (_request: FastifyRequest): Promise<void> => {
    if (this.#isHigh) throw problem('HTTP_OVERLOADED', {});
  };

  close(): void {
    clearInterval(this.#timer);
  }
}

import type { Varbind } from '../codec/snmp-value.ts';
import type { SnmpError } from '../snmp-error.ts';

/** Arrays that may be ready: one is handled while the next one is fetched. */
const maxReady = 1;

export interface WalkSource {
  /** Called at every `next`. What it throws rejects that call. */
  start(): void;
  /** Called when there is room again. */
  resume(): void;
  /** Called when no more is wanted. */
  stop(): void;
}

/** Passes a walk's arrays to its consumer, and pauses the walk while they are not taken. */
export class WalkQueue implements AsyncIterator<Varbind[]> {
  /** Called once when the walk is over, successfully or not. */
  onEnd: () => void = () => {};
  readonly #source: WalkSource;
  readonly #ready: Varbind[][] = [];
  #waiter: { resolve(result: IteratorResult<Varbind[]>): void; reject(error: unknown): void } | undefined;
  #isOver = false;
  #isPaused = false;
  #error: SnmpError | undefined;

  constructor(source: WalkSource) {
    this.#source = source;
  }

  /** Whether the walk may fetch more now; if not, `resume` is called later. */
  get wantsMore(): boolean {
    if (this.#isOver) return false;
    this.#isPaused = this.#ready.length > maxReady;
    return !this.#isPaused;
  }

  push(varbinds: Varbind[]): void {
    const waiter = this.#waiter;
    if (waiter === undefined) {
      this.#ready.push(varbinds);
      return;
    }
    this.#waiter = undefined;
    waiter.resolve({ value: varbinds, done: false });
  }

  finish(): void {
    this.#end();
    this.#waiter?.resolve({ value: undefined, done: true });
    this.#waiter = undefined;
  }

  fail(error: SnmpError): void {
    if (this.#isOver) return;
    this.#source.stop();
    this.#end();
    if (this.#waiter === undefined) this.#error = error;
    else this.#waiter.reject(error);
    this.#waiter = undefined;
  }

  /** Not an async function: that would cost two promises more for every array. */
  next(): Promise<IteratorResult<Varbind[]>> {
    return new Promise((resolve, reject) => {
      if (!this.#isOver) this.#source.start();
      const ready = this.#ready.shift();
      if (ready !== undefined) {
        if (this.#isPaused && this.wantsMore) this.#source.resume();
        resolve({ value: ready, done: false });
        return;
      }
      const error = this.#error;
      this.#error = undefined;
      if (error !== undefined) reject(error);
      else if (this.#isOver) resolve({ value: undefined, done: true });
      else this.#waiter = { resolve, reject };
    });
  }

  async return(): Promise<IteratorResult<Varbind[]>> {
    if (!this.#isOver) {
      this.#source.stop();
      this.#end();
    }
    this.#ready.length = 0;
    return { value: undefined, done: true };
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd();
  }
}

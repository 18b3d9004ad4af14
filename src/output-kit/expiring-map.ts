/**
 * A map whose entries expire when nobody has read or set them for `keepMs`, at the latest after twice that time. For what an output keeps
 * per device: many devices may come and go while the collector runs.
 */
export class ExpiringMap<Value> {
  readonly #keepMs: number;
  readonly #now: () => number;
  #used = new Map<string, Value>();
  /** Entries that nobody has used since the last rotation. */
  #expiring = new Map<string, Value>();
  #rotatedMs: number;

  constructor(keepMs: number, now: () => number) {
    this.#keepMs = keepMs;
    this.#now = now;
    this.#rotatedMs = now();
  }

  get(key: string): Value | undefined {
    this.#rotate();
    const expiring = this.#expiring.get(key);
    if (expiring !== undefined) this.set(key, expiring);
    return this.#used.get(key);
  }

  set(key: string, value: Value): void {
    this.#expiring.delete(key);
    this.#used.set(key, value);
  }

  delete(key: string): void {
    this.#expiring.delete(key);
    this.#used.delete(key);
  }

  values(): Value[] {
    return [...this.#expiring.values(), ...this.#used.values()];
  }

  #rotate(): void {
    const nowMs = this.#now();
    if (nowMs - this.#rotatedMs < this.#keepMs) return;
    this.#rotatedMs = nowMs;
    this.#expiring = this.#used;
    this.#used = new Map();
  }
}

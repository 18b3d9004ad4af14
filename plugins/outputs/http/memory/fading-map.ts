/**
 * A map that forgets what was not met for `keepMs`, at the latest after twice that: for what is kept of devices, of which many may
 * come and go while the collector runs.
 */
export class FadingMap<Value> {
  readonly #keepMs: number;
  readonly #now: () => number;
  #met = new Map<string, Value>();
  /** Not met since the last turn. */
  #fading = new Map<string, Value>();
  #turnedMs: number;

  constructor(keepMs: number, now: () => number) {
    this.#keepMs = keepMs;
    this.#now = now;
    this.#turnedMs = now();
  }

  get(key: string): Value | undefined {
    this.#turn();
    const faded = this.#fading.get(key);
    if (faded !== undefined) this.set(key, faded);
    return this.#met.get(key);
  }

  set(key: string, value: Value): void {
    this.#fading.delete(key);
    this.#met.set(key, value);
  }

  delete(key: string): void {
    this.#fading.delete(key);
    this.#met.delete(key);
  }

  values(): Value[] {
    return [...this.#fading.values(), ...this.#met.values()];
  }

  #turn(): void {
    const nowMs = this.#now();
    if (nowMs - this.#turnedMs < this.#keepMs) return;
    this.#turnedMs = nowMs;
    this.#fading = this.#met;
    this.#met = new Map();
  }
}

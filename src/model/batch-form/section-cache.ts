/** What this many bytes of sections were read as is kept; it takes a small multiple of that in memory. */
const generationBytes = 2 << 20;

/** Remembers what sections were read as, by their bytes. Those not met for a while are forgotten. */
export class SectionCache<Value> {
  #young = new Map<string, Value>();
  #old: ReadonlyMap<string, Value> = new Map();
  #youngBytes = 0;

  /** What `read` makes of the section; `context` is what else its answer depends on. */
  get(section: Buffer, read: (section: Buffer) => Value, context = ''): Value {
    const key = context + section.toString('latin1');
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const value = this.#old.get(key) ?? read(section);
    this.#young.set(key, value);
    this.#youngBytes += section.length;
    if (this.#youngBytes > generationBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    return value;
  }
}

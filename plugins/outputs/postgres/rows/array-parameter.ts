/** The OIDs of types in PostgreSQL, the same in every database. */
const typeNumbers = {
  boolean: 16,
  bigint: 20,
  integer: 23,
  text: 25,
  'double precision': 701,
  timestamptz: 1184,
  'numeric(20)': 1700,
  jsonb: 3802,
} as const;
export type ElementType = keyof typeof typeNumbers;

/** Dimensions, whether there are NULLs, type of the elements, their number, index of the first. */
const headBytes = 20;
const lengthBytes = 4;
const isNull = -1;
const jsonbVersion = 1;
/** The head of a numeric: number of digits, weight of the first one, sign, digits after the point. */
const numericHeadBytes = 8;
/** 2^64 has twenty decimal digits. */
const counterDigits = 5;

/**
 * An array in the binary form of PostgreSQL: each element after its length. The server parses nothing, so that a value cannot be anything
 * but a value, and no text is made here.
 */
export class ArrayParameter {
  readonly type: ElementType;
  #bytes = Buffer.allocUnsafe(4 << 10);
  #end = headBytes;
  #count = 0;
  #hasNulls = false;

  constructor(type: ElementType) {
    this.type = type;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds the same element several times. */
  repeat(element: Buffer, times: number): void {
    const length = Buffer.allocUnsafe(lengthBytes);
    length.writeInt32BE(element.length);
    const whole = Buffer.concat([length, element]);
    const at = this.#reserve(times * whole.length);
    this.#bytes.fill(whole, at, this.#end);
    this.#count += times;
  }

  addText(text: string): void {
    const at = this.#begin(Buffer.byteLength(text));
    this.#bytes.write(text, at);
  }

  addJson(text: string): void {
    const at = this.#begin(1 + Buffer.byteLength(text));
    this.#bytes[at] = jsonbVersion;
    this.#bytes.write(text, at + 1);
  }

  addFloat(value: number): void {
    const at = this.#begin(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  addBoolean(value: boolean): void {
    const at = this.#begin(1);
    this.#bytes[at] = value ? 1 : 0;
  }

  /** Adds an unsigned 64-bit value as base-10,000 digits, the highest first. */
  addCounter(low: number, high: number): void {
    let rest: number | bigint = high * 0x1_0000_0000 + low;
    if (high >= 0x20_0000) rest = (BigInt(high) << 32n) | BigInt(low);
    const at = this.#begin(numericHeadBytes + 2 * counterDigits);
    this.#bytes.writeInt16BE(counterDigits, at);
    this.#bytes.writeInt16BE(counterDigits - 1, at + 2);
    this.#bytes.writeInt32BE(0, at + 4);
    for (let i = counterDigits - 1; i >= 0; i--) {
      const above: number | bigint = typeof rest === 'bigint' ? rest / 10_000n : Math.floor(rest / 10_000);
      const digit = typeof rest === 'bigint' ? Number(rest % 10_000n) : rest - Number(above) * 10_000;
      this.#bytes.writeInt16BE(digit, at + numericHeadBytes + 2 * i);
      rest = above;
    }
  }

  addNull(): void {
    this.#bytes.writeInt32BE(isNull, this.#reserve(lengthBytes));
    this.#hasNulls = true;
    this.#count++;
  }

  /** Adds NULLs up to `count` elements. */
  fillTo(count: number): void {
    while (this.#count < count) this.addNull();
  }

  /** Returns the parameter for a query. Nothing may be added after it. */
  finish(): Buffer {
    const [dimensions, first] = [this.#count === 0 ? 0 : 1, 1];
    const head = [dimensions, this.#hasNulls ? 1 : 0, typeNumbers[this.type], this.#count, first];
    for (const [i, word] of head.entries()) this.#bytes.writeInt32BE(word, lengthBytes * i);
    return this.#bytes.subarray(0, dimensions === 0 ? 3 * lengthBytes : this.#end);
  }

  /** Adds an element of `length` octets and returns where they begin. */
  #begin(length: number): number {
    const at = this.#reserve(lengthBytes + length);
    this.#bytes.writeInt32BE(length, at);
    this.#count++;
    return at + lengthBytes;
  }

  #reserve(octets: number): number {
    const at = this.#end;
    this.#end += octets;
    if (this.#end > this.#bytes.length) {
      const wider = Buffer.allocUnsafe(2 * this.#end);
      this.#bytes.copy(wider, 0, 0, at);
      this.#bytes = wider;
    }
    return at;
  }
}

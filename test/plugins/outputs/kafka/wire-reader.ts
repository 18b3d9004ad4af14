/** Reads Kafka's primitive types. Throws for anything missing or different from the protocol guide. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw new Error(`${length} octets wanted, ${this.left} left`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  int8 = () => this.take(1).readInt8();
  int16 = () => this.take(2).readInt16BE();
  int32 = () => this.take(4).readInt32BE();
  uint32 = () => this.take(4).readUInt32BE();
  int64 = () => this.take(8).readBigInt64BE();

  boolean(): boolean {
    const value = this.int8();
    if (value !== 0 && value !== 1) throw new Error(`${value} is no boolean`);
    return value === 1;
  }

  unsignedVarint(): number {
    return Number(this.#varint());
  }

  /** Zigzag encoding, as in records. */
  varint(): number {
    const value = this.#varint();
    return Number((value >> 1n) ^ -(value & 1n));
  }

  /** A string with a length of two octets. -1 is null. */
  nullableString(): string | undefined {
    const length = this.int16();
    return length === -1 ? undefined : this.#text(length);
  }

  compactString(): string {
    const text = this.compactNullableString();
    if (text === undefined) throw new Error('null where a string must be');
    return text;
  }

  compactNullableString(): string | undefined {
    const length = this.unsignedVarint();
    return length === 0 ? undefined : this.#text(length - 1);
  }

  compactBytes(): Buffer {
    return this.take(this.unsignedVarint() - 1);
  }

  compactArray<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.unsignedVarint() - 1 }, read);
  }

  /** No tagged field is allowed. */
  noTags(): void {
    if (this.unsignedVarint() !== 0) throw new Error('unknown tagged fields');
  }

  end(): void {
    if (this.left !== 0) throw new Error(`${this.left} octets too many`);
  }

  #text(length: number): string {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.take(length));
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const octet = BigInt(this.take(1)[0]!);
      value |= (octet & 0x7fn) << shift;
      if (octet < 0x80n) return value;
    }
    throw new Error('a varint without an end');
  }
}

/** Writes Kafka's primitive types for answers. */
export class WireWriter {
  readonly #parts: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  raw(bytes: Buffer): this {
    this.#parts.push(bytes);
    return this;
  }

  int8 = (value: number) => this.#number(1, (bytes) => bytes.writeInt8(value));
  int16 = (value: number) => this.#number(2, (bytes) => bytes.writeInt16BE(value));
  int32 = (value: number) => this.#number(4, (bytes) => bytes.writeInt32BE(value));
  int64 = (value: bigint) => this.#number(8, (bytes) => bytes.writeBigInt64BE(value));

  unsignedVarint(value: number): this {
    if (value < 0x80) return this.raw(Buffer.from([value]));
    return this.raw(Buffer.from([(value & 0x7f) | 0x80])).unsignedVarint(value >>> 7);
  }

  compactString(text: string | undefined): this {
    if (text === undefined) return this.unsignedVarint(0);
    const bytes = Buffer.from(text);
    return this.unsignedVarint(bytes.length + 1).raw(bytes);
  }

  compactArray<Item>(items: readonly Item[], write: (item: Item, index: number) => void): this {
    this.unsignedVarint(items.length + 1);
    items.forEach(write);
    return this;
  }

  noTags(): this {
    return this.unsignedVarint(0);
  }

  #number(size: number, write: (bytes: Buffer) => void): this {
    const bytes = Buffer.alloc(size);
    write(bytes);
    return this.raw(bytes);
  }
}

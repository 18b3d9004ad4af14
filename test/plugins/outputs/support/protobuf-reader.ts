import assert from 'node:assert/strict';

export type FieldType =
  | 'string'
  | 'uint32'
  | 'int64'
  | 'bool'
  | 'double'
  | 'fixed64'
  | 'sfixed64'
  | 'packed uint32'
  | MessageSchema;

/** A message as in its .proto file: fields by number. Other fields are forbidden. */
export interface MessageSchema {
  readonly name: string;
  readonly fields: Readonly<Record<number, FieldSchema>>;
}

export interface FieldSchema {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: boolean;
  /** Fields with the same name exclude each other. */
  readonly oneOf?: string;
}

/** A decoded message: 64-bit numbers are bigints, missing fields are left out. */
export type ReadMessage = { readonly [field: string]: ReadValue | readonly ReadValue[] };
export type ReadValue = string | number | bigint | boolean | ReadMessage;

const wireTypes = { varint: 0, eightBytes: 1, lengthDelimited: 2 };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads bytes by the letter of a schema and throws at whatever that does not know: an unknown field, another wire type, a field
 * twice that is not repeated, two of a oneof, a varint longer than it must be, a text that is not UTF-8, a byte too many or too few.
 */
export function readMessage(bytes: Uint8Array, schema: MessageSchema): ReadMessage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const message: Record<string, ReadValue | ReadValue[]> = {};
  const chosen = new Map<string, string>();
  let at = 0;

  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      assert.ok(at < bytes.length, `${schema.name} ends within a number`);
      assert.ok(shift < 70n, `${schema.name} has a number of more than ten bytes`);
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        assert.ok(byte !== 0 || shift === 0n, `${schema.name} has a number with an empty last byte`);
        assert.ok(value < 1n << 64n, `${schema.name} has a number of more than 64 bits`);
        return value;
      }
    }
  };
  const readBytes = (): Uint8Array => {
    const length = Number(readVarint());
    assert.ok(at + length <= bytes.length, `${schema.name} has a field that is longer than itself`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const readEight = <T>(read: (offset: number, littleEndian: boolean) => T): T => {
    assert.ok(at + 8 <= bytes.length, `${schema.name} ends within eight bytes`);
    at += 8;
    return read.call(view, at - 8, true);
  };
  const readValue = (type: FieldType): ReadValue | ReadValue[] => {
    if (typeof type === 'object') return readMessage(readBytes(), type);
    switch (type) {
      case 'string':
        return utf8.decode(readBytes());
      case 'uint32': {
        const value = readVarint();
        assert.ok(value < 1n << 32n, `${schema.name} has a number of more than 32 bits`);
        return Number(value);
      }
      case 'int64':
        return BigInt.asIntN(64, readVarint());
      case 'bool': {
        const value = readVarint();
        assert.ok(value <= 1n);
        return value === 1n;
      }
      case 'double':
        return readEight(view.getFloat64);
      case 'fixed64':
        return readEight(view.getBigUint64);
      case 'sfixed64':
        return readEight(view.getBigInt64);
      case 'packed uint32':
        return readPacked(readBytes());
    }
  };

  while (at < bytes.length) {
    const tag = Number(readVarint());
    const field = schema.fields[tag >>> 3];
    assert.ok(field !== undefined, `${schema.name} has no field ${tag >>> 3}`);
    assert.equal(tag & 7, wireTypeOf(field.type), `${schema.name}.${field.name} has another wire type`);
    const value = readValue(field.type);
    if (field.oneOf !== undefined) {
      assert.equal(chosen.get(field.oneOf), undefined, `${schema.name} has two of ${field.oneOf}`);
      chosen.set(field.oneOf, field.name);
    }
    if (field.repeated === true) {
      message[field.name] ??= [];
      (message[field.name] as ReadValue[]).push(value as ReadValue);
    } else {
      assert.ok(!(field.name in message), `${schema.name}.${field.name} is there twice`);
      message[field.name] = value;
    }
  }
  return message;
}

function wireTypeOf(type: FieldType): number {
  if (type === 'double' || type === 'fixed64' || type === 'sfixed64') return wireTypes.eightBytes;
  return type === 'uint32' || type === 'int64' || type === 'bool'
    ? wireTypes.varint
    : wireTypes.lengthDelimited;
}

function readPacked(bytes: Uint8Array): number[] {
  const schema: MessageSchema = { name: 'packed', fields: { 1: { name: 'n', type: 'uint32' } } };
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = at;
    while (end < bytes.length && bytes[end]! >= 0x80) end++;
    const one = readMessage(Uint8Array.of(0x08, ...bytes.subarray(at, end + 1)), schema);
    numbers.push(one['n'] as number);
    at = end + 1;
  }
  return numbers;
}

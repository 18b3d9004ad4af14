import assert from 'node:assert/strict';
import type { FieldType, MessageSchema, ReadMessage, ReadValue } from './protobuf-reader.ts';

/**
 * Reads protobuf's JSON by the letter of a schema, into what the bytes would read as: keys in lowerCamelCase, 64 bits as decimal
 * texts, and nothing that the schema does not know.
 */
export function readJsonMessage(value: unknown, schema: MessageSchema): ReadMessage {
  assert.ok(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${schema.name} is no object`,
  );
  const fields = new Map(Object.values(schema.fields).map((field) => [camelCase(field.name), field]));
  const chosen = new Set<string>();
  const entries = Object.entries(value).map(([key, given]) => {
    const field = fields.get(key);
    assert.ok(field !== undefined, `${schema.name} has no field ${key}`);
    if (field.oneOf !== undefined) {
      assert.ok(!chosen.has(field.oneOf), `${schema.name} has two of ${field.oneOf}`);
      chosen.add(field.oneOf);
    }
    if (field.repeated !== true) return [field.name, readValue(given, field.type)] as const;
    assert.ok(Array.isArray(given), `${schema.name}.${key} is no list`);
    return [field.name, given.map((item) => readValue(item, field.type))] as const;
  });
  // A list without items has no bytes.
  return Object.fromEntries(entries.filter(([, read]) => !Array.isArray(read) || read.length > 0));
}

function readValue(value: unknown, type: FieldType): ReadValue {
  if (typeof type === 'object') return readJsonMessage(value, type);
  switch (type) {
    case 'string':
      assert.ok(typeof value === 'string' && Buffer.from(value).toString() === value, 'no text of UTF-8');
      return value;
    case 'bool':
      assert.ok(typeof value === 'boolean');
      return value;
    case 'double':
      if (typeof value === 'string') assert.match(value, /^(NaN|-?Infinity)$/);
      else assert.equal(typeof value, 'number');
      return Number(value);
    case 'uint32':
      assert.ok(Number.isInteger(value));
      return value as number;
    default:
      assert.ok(typeof value === 'string' && /^-?\d+$/.test(value), `${value} is no text of digits`);
      return BigInt(value);
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { WireReader } from './wire-reader.ts';

export interface ReceivedRecord {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly timestampMs: number;
}

export interface ReceivedBatch {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly isCompressed: boolean;
  readonly records: readonly ReceivedRecord[];
}

/** Reads a record batch of magic 2, and checks every octet with the protocol guide. A producer leaves offset and leader epoch open. */
export function readRecordBatch(bytes: Buffer): ReceivedBatch {
  const reader = new WireReader(bytes);
  assert.equal(reader.int64(), 0n, 'base offset');
  assert.equal(reader.int32(), bytes.length - 12, 'batch length');
  assert.ok([0, -1].includes(reader.int32()), 'leader epoch');
  assert.equal(reader.int8(), 2, 'magic');
  assert.equal(reader.uint32(), crc32c(bytes.subarray(21)), 'checksum');
  const attributes = reader.int16();
  assert.ok(attributes === 0 || attributes === 1, 'no compression or gzip, create time, no transaction');
  const lastOffsetDelta = reader.int32();
  const [baseTimestamp, maxTimestamp] = [reader.int64(), reader.int64()];
  const head = { producerId: reader.int64(), producerEpoch: reader.int16(), baseSequence: reader.int32() };
  const count = reader.int32();
  assert.equal(lastOffsetDelta, count - 1, 'last offset');
  const body = reader.take(reader.left);
  const isCompressed = attributes === 1;
  const inner = new WireReader(isCompressed ? gunzipSync(body) : body);
  const records = Array.from({ length: count }, (_, i) => readRecord(inner, i, Number(baseTimestamp)));
  inner.end();
  assert.equal(Math.max(...records.map(({ timestampMs }) => timestampMs)), Number(maxTimestamp), 'last time');
  return { ...head, isCompressed, records };
}

function readRecord(reader: WireReader, offset: number, baseTimestamp: number): ReceivedRecord {
  const record = new WireReader(reader.take(reader.varint()));
  assert.equal(record.int8(), 0, 'attributes of a record');
  const timestampMs = baseTimestamp + record.varint();
  assert.equal(record.varint(), offset, 'offset of a record');
  const key = record.take(record.varint());
  const value = record.take(record.varint());
  assert.equal(record.varint(), 0, 'headers');
  record.end();
  return { key, value, timestampMs };
}

/** Castagnoli's polynomial, reflected: RFC 3720, appendix B.4. */
export function crc32c(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const octet of bytes) crc = table[(crc ^ octet) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, octet) => {
  let value = octet;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f6_3b78 : value >>> 1;
  return value;
});

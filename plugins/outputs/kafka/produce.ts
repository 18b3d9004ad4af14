import type { Producer } from '@platformatic/kafka';
import type { Message } from '../../../src/output-kit/index.ts';
import type { KafkaOptions } from './options.ts';

/** The largest overhead of a record beside its key and value. */
const recordBytes = 64;
const allReplicas = -1;

/** Resolves when all required replicas have the messages. The messages of a device are in one partition, in order. */
export async function produce(
  messages: readonly Message[],
  producer: Producer,
  { topic, compression, max_message_bytes: maxBytes }: KafkaOptions,
): Promise<void> {
  for (const part of cutBySize(messages, maxBytes)) {
    await producer.send({
      messages: part.map(({ batch, body }) => ({
        topic,
        key: Buffer.from(batch.device.name),
        value: body,
        timestamp: BigInt(Math.round(batch.timeMs)),
      })),
      idempotent: true,
      partitioner: ({ key }) => partitionHash(key!),
      acks: allReplicas,
      compression,
    });
  }
}

/** A broker limits the size per partition and request, and all messages of a part may be for the same partition. */
function* cutBySize(messages: readonly Message[], maxBytes: number): Generator<readonly Message[]> {
  let part: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = messageBytes(message);
    if (part.length > 0 && bytes + size > maxBytes) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(message);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

function messageBytes({ batch, body }: Message): number {
  return body.length + Buffer.byteLength(batch.device.name) + recordBytes;
}

const multiplier = 0x5bd1e995;
const shift = 24;
const seed = 0x9747b28c;

/** The hash by which Kafka's Java clients choose partitions, so that equal keys meet there. Never negative. */
export function partitionHash(key: Buffer): number {
  return murmur2(key) & 0x7fff_ffff;
}

/** MurmurHash 2 of 32 bits, as Kafka seeds it. */
function murmur2(bytes: Buffer): number {
  let hash = seed ^ bytes.length;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), multiplier);
    word = Math.imul(word ^ (word >>> shift), multiplier);
    hash = Math.imul(hash, multiplier) ^ word;
  }
  const rest = bytes.length - at;
  if (rest > 0) hash = Math.imul(hash ^ bytes.readUIntLE(at, rest), multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}

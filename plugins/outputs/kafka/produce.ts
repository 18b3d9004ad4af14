import type { Producer } from '@platformatic/kafka';
import type { Message } from '../../../src/output-kit/index.ts';
import { partitionHash } from './murmur2.ts';
import type { KafkaOptions } from './options.ts';

/** What a record takes beside its key and value, at most. */
const recordBytes = 64;
const allReplicas = -1;

/** Resolves when every replica that must has the messages. Those of one device are in one partition, in their order. */
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

/** A broker measures what goes to a partition in one request, so that one part could all be for the same. */
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

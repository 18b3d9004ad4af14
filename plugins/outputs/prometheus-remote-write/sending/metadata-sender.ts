import type { Logger } from '../../../../src/index.ts';
import type { Family } from '../../../../src/output-kit/index.ts';
import { metricTypes } from '../series/request-writer.ts';
import { encodeText } from '../wire/label-bytes.ts';
import { SnappyWriter } from '../wire/snappy-writer.ts';
import { varint } from '../wire/varint.ts';

/** The interval and the batch size of Prometheus. */
const everyMs = 60_000;
const maxFamilies = 2_000;

export interface MetadataSenderParts {
  readonly families: { list(): readonly Family[] };
  readonly post: (body: Buffer, signal: AbortSignal) => Promise<unknown>;
  readonly log: Logger;
  readonly now: () => number;
}

/** Sends types, help and units, which samples of 1.0 do not have. A receiver that refuses them still gets the samples. */
export class MetadataSender {
  readonly #parts: MetadataSenderParts;
  #dueMs = 0;
  #isWanted = true;

  constructor(parts: MetadataSenderParts) {
    this.#parts = parts;
  }

  /** Sends the metadata at most once per minute. Rejects only when the signal aborts. */
  async send(signal: AbortSignal): Promise<void> {
    const { families, post, log, now } = this.#parts;
    if (!this.#isWanted || now() < this.#dueMs) return;
    this.#dueMs = now() + everyMs;
    const all = families.list();
    try {
      for (let from = 0; from < all.length; from += maxFamilies) {
        await post(encodeMetadata(all.slice(from, from + maxFamilies)), signal);
      }
      log.debug({ families: all.length }, 'Sent types, help and units to the receiver.');
    } catch (error) {
      signal.throwIfAborted();
      this.#isWanted = !(error instanceof Error && error.name === 'PermanentError');
      if (this.#isWanted)
        log.debug({ error }, 'Sending types, help and units failed. The next attempt is in a minute.');
      else log.info({ error }, 'The receiver refuses types, help and units. They are not sent again.');
    }
  }
}

/** Encodes a `prometheus.WriteRequest` of remote write 1.0 with only `metadata = 3`: type, name, help and unit of each family. */
function encodeMetadata(families: readonly Family[]): Buffer {
  const out = new SnappyWriter();
  for (const { kind, sampleName, help, unit } of families) {
    const fields = [
      Buffer.from([0x08, metricTypes[kind]]),
      encodeText(2, sampleName),
      encodeText(4, help),
      unit === '' ? Buffer.alloc(0) : encodeText(5, unit),
    ];
    const length = fields.reduce((sum, field) => sum + field.length, 0);
    out.bytes(Buffer.from([0x1a, ...varint(length)]));
    for (const field of fields) if (field.length > 0) out.bytes(field);
  }
  return SnappyWriter.finish(out);
}

import { type Logger, PermanentError } from '../../../../src/index.ts';
import type { EncodedPart, PostAnswer, Poster, TrackedBatch } from '../../../../src/output-kit/index.ts';
import type { SeriesWalk } from '../series/series-walk.ts';
import { type LabelBytes, WriteRequest1 } from '../series/write-request-1.ts';
import { WriteRequest2 } from '../series/write-request-2.ts';
import { MetadataSender, type MetadataSenderParts } from './metadata-sender.ts';

export type Protocol = '1.0' | '2.0';

export interface WritePart extends EncodedPart {
  readonly protocol: Protocol;
  readonly samples: number;
}

const writtenHeader = 'x-prometheus-remote-write-samples-written';
const requests = {
  '1.0': { contentType: 'application/x-protobuf', version: '0.1.0' },
  '2.0': { contentType: 'application/x-protobuf;proto=io.prometheus.write.v2.Request', version: '2.0.0' },
} as const;
/** Statuses with which receivers of only 1.0 refuse 2.0, and those of them that can mean nothing else. */
const maybeOnly1 = new Set([400, 404, 406, 415]);
const surelyOnly1 = new Set([406, 415]);

/**
 * Writes with 2.0 if the receiver supports it, otherwise with 1.0. A receiver of only 1.0 may accept a request of 2.0 and find nothing in
 * it. It is recognised by its answer, which lacks the count of written samples.
 */
export class NegotiatedSender {
  readonly #poster: Poster;
  readonly #walk: SeriesWalk;
  readonly #log: Logger;
  readonly #labelBytes: LabelBytes = new WeakMap();
  readonly #metadata: MetadataSender;
  #protocol: Protocol;
  readonly #isFixed: boolean;
  /** Whether an answer had the count of written samples. A later refusal is then about the samples, and not about the format. */
  #hasWritten = false;

  constructor(parts: {
    readonly poster: Poster;
    readonly walk: SeriesWalk;
    readonly families: MetadataSenderParts['families'];
    readonly log: Logger;
    readonly protocol: Protocol | 'auto';
    readonly now?: () => number;
  }) {
    this.#poster = parts.poster;
    this.#walk = parts.walk;
    this.#log = parts.log;
    const post: MetadataSenderParts['post'] = (body, signal) => this.#post({ body, protocol: '1.0' }, signal);
    this.#metadata = new MetadataSender({ now: Date.now, ...parts, post });
    this.#isFixed = parts.protocol !== 'auto';
    this.#protocol = parts.protocol === 'auto' ? '2.0' : parts.protocol;
  }

  encode(batches: readonly TrackedBatch[], protocol = this.#protocol): WritePart | undefined {
    const request = protocol === '1.0' ? new WriteRequest1(this.#labelBytes) : new WriteRequest2();
    const samples = this.#walk.walk(batches, request);
    return samples === 0 ? undefined : { ...request.finish(), protocol, samples };
  }

  async send(part: WritePart, batches: readonly TrackedBatch[], signal: AbortSignal): Promise<void> {
    if (part.protocol !== this.#protocol) return this.send(this.encode(batches)!, batches, signal);
    if (part.protocol === '1.0') await this.#metadata.send(signal);
    const written = await this.#write(part, signal);
    if (written !== undefined) {
      this.#hasWritten = true;
      const left = part.samples - written;
      if (!(left > 0)) return;
      const message = `The receiver wrote ${written} of ${part.samples} samples.`;
      throw new PermanentError(message, written > 0 ? { refused: [], refusedValues: left } : {});
    }
    if (part.protocol === '1.0') return;
    if (this.#isFixed)
      throw new Error('The receiver does not support remote write 2.0. Set protocol: auto, or 1.0.');
    await this.#post(this.encode(batches, '1.0')!, signal);
    this.#protocol = '1.0';
    this.#log.info('The receiver supports only remote write 1.0.');
  }

  /** Returns the number of written samples. Undefined if the answer does not have it, or refuses the format. */
  async #write(part: WritePart, signal: AbortSignal): Promise<number | undefined> {
    const isAsking = part.protocol === '2.0' && !this.#hasWritten;
    const refusals = this.#isFixed ? surelyOnly1 : maybeOnly1;
    const { headers } = await this.#post(part, signal, isAsking ? refusals : undefined);
    const written = headers[writtenHeader];
    return written === undefined ? undefined : Math.max(0, Math.trunc(Number(written)));
  }

  #post(
    { body, protocol }: Pick<WritePart, 'body' | 'protocol'>,
    signal: AbortSignal,
    expected?: ReadonlySet<number>,
  ): Promise<PostAnswer> {
    const { contentType, version } = requests[protocol];
    const headers = { 'x-prometheus-remote-write-version': version };
    return this.#poster.post({ body, contentType, contentEncoding: 'snappy', headers, expected }, signal);
  }
}

import { type Batch, PermanentError } from '../../../../src/index.ts';
import { type EncodedPart, LineRenderer, type Poster } from '../../../../src/output-kit/index.ts';
import { readBulkAnswer } from './bulk-answer.ts';
import { type BulkDocument, renderBulk } from './bulk-part.ts';

export interface BulkPart extends EncodedPart {
  /** The documents that are not accepted yet, and the body with them. */
  pending: readonly BulkDocument[];
  body: Buffer;
  readonly refused: { readonly document: BulkDocument; readonly reason: string }[];
}

/** Sends documents until each is accepted or refused. A retry sends only those that are neither. */
export class BulkSender {
  readonly #poster: Poster;
  readonly #renderer: LineRenderer;

  constructor(poster: Poster, { nested }: { readonly nested: boolean }) {
    this.#poster = poster;
    this.#renderer = new LineRenderer({ nested, gaps: false });
  }

  encode(batches: readonly Batch[]): BulkPart | undefined {
    const { body, documents } = renderBulk(batches, this.#renderer);
    return body.length === 0 ? undefined : { body, plainBytes: body.length, pending: documents, refused: [] };
  }

  /** Once all other documents are accepted, throws a PermanentError with the batches of the refused ones. */
  async send(part: BulkPart, signal: AbortSignal): Promise<void> {
    if (part.pending.length > 0) await this.#post(part, signal);
    const [first] = part.refused;
    if (first === undefined) return;
    throw new PermanentError(
      `${part.refused.length} documents were refused, the first one with ${first.reason}`,
      {
        refused: [...new Set(part.refused.map(({ document }) => document.batch))],
      },
    );
  }

  async #post(part: BulkPart, signal: AbortSignal): Promise<void> {
    const { body, pending, refused } = part;
    const answer = await this.#poster.post({ body, contentType: 'application/x-ndjson' }, signal);
    const results = readBulkAnswer(answer.body, pending.length, this.#poster.quote);
    const later: BulkDocument[] = [];
    let why = '';
    for (const [i, result] of results.entries()) {
      if (result.kind === 'refused') refused.push({ document: pending[i]!, reason: result.reason });
      if (result.kind !== 'later') continue;
      later.push(pending[i]!);
      why = result.reason;
    }
    part.pending = later;
    part.body = Buffer.concat(later.map(({ lines }) => lines));
    if (later.length > 0) throw new Error(`${later.length} documents wait for another attempt: ${why}`);
  }
}

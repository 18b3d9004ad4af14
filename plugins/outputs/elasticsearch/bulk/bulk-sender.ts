import { type Batch, PermanentError } from '../../../../src/index.ts';
import type { EncodedPart, Poster } from '../../http/service.ts';
import { LineRenderer } from '../../ndjson/service.ts';
import { readBulkAnswer } from './bulk-answer.ts';
import { type BulkDocument, listDocuments } from './bulk-part.ts';

export interface BulkPart extends EncodedPart {
  /** What was not taken yet. */
  pending: readonly BulkDocument[];
  readonly refused: { readonly document: BulkDocument; readonly reason: string }[];
}

/** Sends documents until each is taken or refused; one that may pass goes again, without those that have passed. */
export class BulkSender {
  readonly #poster: Poster;
  readonly #renderer: LineRenderer;

  constructor(poster: Poster, { nested }: { readonly nested: boolean }) {
    this.#poster = poster;
    this.#renderer = new LineRenderer({ nested, gaps: false });
  }

  encode(batches: readonly Batch[]): BulkPart | undefined {
    const pending = listDocuments(batches, this.#renderer);
    const body = join(pending);
    return pending.length === 0 ? undefined : { body, plainBytes: body.length, pending, refused: [] };
  }

  /** Throws a PermanentError that names the batches of refused documents, once all others are taken. */
  async send(part: BulkPart, signal: AbortSignal): Promise<void> {
    const { pending, refused } = part;
    if (pending.length > 0) {
      const { body } = await this.#poster.post(
        { body: join(pending), contentType: 'application/x-ndjson' },
        signal,
      );
      const later: BulkDocument[] = [];
      let why = '';
      for (const [i, outcome] of readBulkAnswer(body, pending.length).entries()) {
        if (outcome.kind === 'taken') continue;
        if (outcome.kind === 'refused') refused.push({ document: pending[i]!, reason: outcome.reason });
        else {
          later.push(pending[i]!);
          why = outcome.reason;
        }
      }
      part.pending = later;
      if (later.length > 0) throw new Error(`${later.length} documents wait for another attempt: ${why}`);
    }
    if (refused.length === 0) return;
    throw new PermanentError(
      `${refused.length} documents were refused, the first with ${refused[0]!.reason}`,
      {
        refused: [...new Set(refused.map(({ document }) => document.batch))],
      },
    );
  }
}

function join(documents: readonly BulkDocument[]): Buffer {
  return Buffer.concat(documents.map(({ lines }) => lines));
}

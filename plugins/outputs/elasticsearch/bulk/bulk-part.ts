import { createHash } from 'node:crypto';
import type { Batch } from '../../../../src/index.ts';
import type { LineRenderer } from '../../ndjson/service.ts';

/** A row on its way: its action and its document, a line each, as a part of a body. */
export interface BulkDocument {
  readonly batch: Batch;
  readonly lines: Buffer;
}

const lineEnd = Buffer.from('\n');
/** Of a hash, in bytes: enough that two rows never share an id, and short enough to be kept a million times. */
const idBytes = 18;

/** A body of one document a row: that of the renderer, with the time that data streams want. */
export function renderBulk(
  batches: readonly Batch[],
  renderer: LineRenderer,
): { readonly body: Buffer; readonly documents: readonly BulkDocument[] } {
  const pieces: Buffer[] = [];
  const spans: { readonly batch: Batch; readonly from: number; readonly to: number }[] = [];
  let end = 0;
  for (const batch of batches) {
    const time = Buffer.from(`{"@timestamp":${JSON.stringify(new Date(batch.slotMs))},`);
    const documents = renderer.renderRows(batch);
    for (const [row, document] of documents.entries()) {
      const action = Buffer.from(`{"create":{"_id":"${documentId(batch, row)}"}}\n`);
      pieces.push(action, time, document.subarray(1), lineEnd);
      const length = action.length + time.length + document.length;
      spans.push({ batch, from: end, to: end + length });
      end += length;
    }
  }
  const body = Buffer.concat(pieces);
  const documents = spans.map(({ batch, from, to }) => ({ batch, lines: body.subarray(from, to) }));
  return { body, documents };
}

/** The same for the same row of the same poll, so that what comes twice is kept once. */
function documentId({ device, record, plan, slotMs, sequence, rows }: Batch, row: number): string {
  const identity = [device.ip, device.port, record, plan, slotMs, sequence, rows.keys[row] ?? row];
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
  return digest.subarray(0, idBytes).toString('base64url');
}

import { createHash } from 'node:crypto';
import type { Batch } from '../../../../src/index.ts';
import type { LineRenderer } from '../../../../src/output-kit/index.ts';

/** A row as a part of a body: one line with the action and one with the document. */
export interface BulkDocument {
  readonly batch: Batch;
  readonly lines: Buffer;
}

const lineEnd = Buffer.from('\n');
/** Long enough that two polls never share a hash, and short enough to be stored a million times. */
const digestBytes = 18;

/** Renders one document per row: that of the renderer, with the time that data streams require. */
export function renderBulk(
  batches: readonly Batch[],
  renderer: LineRenderer,
): { readonly body: Buffer; readonly documents: readonly BulkDocument[] } {
  const pieces: Buffer[] = [];
  const spans: { readonly batch: Batch; readonly from: number; readonly to: number }[] = [];
  let end = 0;
  for (const batch of batches) {
    const time = Buffer.from(`{"@timestamp":${JSON.stringify(new Date(batch.slotMs))},`);
    const idOf = createIds(batch);
    const documents = renderer.renderRows(batch);
    for (const [row, document] of documents.entries()) {
      const action = Buffer.from(`{"create":{"_id":"${idOf(row)}"}}\n`);
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

/** Makes ids that are the same for the same row of the same poll, so that a repeated document is stored once. */
function createIds({ device, record, plan, slotMs, sequence, rows }: Batch): (row: number) => string {
  const poll = digestOf(JSON.stringify([device.ip, device.port, record, plan, slotMs, sequence]));
  return (row) => {
    const key = rows.keys[row] ?? String(row);
    return plainKey.test(key) ? `${poll}.${key}` : `${poll}~${digestOf(key)}`;
  };
}

/** Most keys are numbers. Others may have any characters and any length. */
const plainKey = /^[\w.-]{1,40}$/;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, digestBytes).toString('base64url');
}

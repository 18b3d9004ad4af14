import { createHash } from 'node:crypto';
import type { Batch } from '../../../src/index.ts';
import type { Message } from '../../../src/output-kit/index.ts';

/**
 * Ids that are the same for the same row at the same time, so that a stream drops what comes twice: a digest of the batch and
 * the number of the row. The digest is made once for the messages of a batch that follow each other.
 */
export function createMessageIds(): (message: Message) => string {
  let last: Batch | undefined;
  let digest = '';
  return ({ batch, row }) => {
    if (batch !== last) {
      last = batch;
      digest = digestOf(batch);
    }
    return `${digest}.${row}`;
  };
}

function digestOf({ device, record, plan, slotMs, sequence, rows }: Batch): string {
  const identity = [device.ip, device.port, device.name, record, plan, slotMs, sequence, rows.keys];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 32);
}

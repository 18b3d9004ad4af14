import type { Batch } from '../../model/batch.ts';
import { Type } from '../../typebox.ts';
import { documentOptions, type LineRenderer } from './line-renderer.ts';

/** `documentOptions`, and what one message holds: for outputs that publish messages. */
export const messageOptions = {
  ...documentOptions,
  message: Type.Union([Type.Literal('row'), Type.Literal('batch')], {
    default: 'row',
    description:
      'what one message holds: the document of one row (row), or one line for each row of a batch (batch)',
  }),
};

/** What one message holds: the document of one row, or the lines of one batch. */
export type MessageUnit = 'row' | 'batch';

export interface Message {
  readonly batch: Batch;
  /** Index of its first row in the batch. */
  readonly row: number;
  /** The key of its row. Empty for a message that holds a batch. */
  readonly rowKey: string;
  readonly body: Buffer;
}

export interface CutMessages {
  readonly messages: readonly Message[];
  /** Batches with a document larger than a message may be. None of their rows are in `messages`. */
  readonly tooLarge: readonly Batch[];
}

/** Cuts batches into messages of at most `maxBytes`, in the order of the rows. A batch that is too large for one message becomes several. */
export function cutMessages(
  batches: readonly Batch[],
  renderer: LineRenderer,
  { unit, maxBytes }: { readonly unit: MessageUnit; readonly maxBytes: number },
): CutMessages {
  const messages: Message[] = [];
  const tooLarge: Batch[] = [];
  for (const batch of batches) {
    const lines = renderer.renderRows(batch);
    if (lines.some(({ length }) => length > maxBytes)) tooLarge.push(batch);
    else if (unit === 'row') {
      for (const [row, body] of lines.entries()) {
        messages.push({ batch, row, rowKey: batch.rows.keys[row] ?? '', body });
      }
    } else {
      for (const { row, body } of joinLines(lines, maxBytes)) messages.push({ batch, row, rowKey: '', body });
    }
  }
  return { messages, tooLarge };
}

function* joinLines(
  lines: readonly Buffer[],
  maxBytes: number,
): Generator<{ readonly row: number; readonly body: Buffer }> {
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    let bytes = lines[from]!.length;
    while (to < lines.length && bytes + 1 + lines[to]!.length <= maxBytes) bytes += 1 + lines[to++]!.length;
    const separated = lines.slice(from, to).flatMap((line, i) => (i === 0 ? [line] : [newLine, line]));
    yield { row: from, body: Buffer.concat(separated) };
    from = to;
  }
}

const newLine = Buffer.from('\n');

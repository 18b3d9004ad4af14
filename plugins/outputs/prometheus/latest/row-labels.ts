import type { Batch } from '../../../../src/index.ts';
import { listRowLabels } from '../../../../src/output-kit/index.ts';
import { labelText } from '../exposition/label-text.ts';

/** The labels of the rows, as text for an exposition. */
export interface RowLabels {
  /** The labels of each row with their braces: `{device="a",netif_index="1"} `. */
  readonly texts: readonly Uint8Array[];
  readonly names: ReadonlySet<string>;
}

export function buildRowLabels(batch: Batch): RowLabels {
  const { rows, names } = listRowLabels(batch);
  const texts = rows.map((labels) => `{${labels.map(([name, value]) => labelText(name, value)).join(',')}} `);
  return { texts: encodeTogether(texts), names };
}

/** Parts of one buffer: many small buffers would burden the garbage collector. */
function encodeTogether(texts: readonly string[]): Uint8Array[] {
  const whole = new TextEncoder().encode(texts.join(''));
  let from = 0;
  return texts.map((text) => {
    const to = from + Buffer.byteLength(text);
    const part = whole.subarray(from, to);
    from = to;
    return part;
  });
}

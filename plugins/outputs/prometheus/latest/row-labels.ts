import type { Batch } from '../../../../src/index.ts';
import { listRowLabels, type Naming } from '../../../../src/output-kit/index.ts';
import { labelText } from '../../../../src/output-kit/internal.ts';

/** The labels of the rows, as text for an exposition. */
export interface RowLabels {
  /** The labels of each row with their braces: `{device="a",netif_index="1"} `. */
  readonly texts: readonly Uint8Array[];
  readonly names: ReadonlySet<string>;
}

/** The sets of label names by their names: nearly all devices have the same ones. */
export type KnownNames = Map<string, ReadonlySet<string>>;

export function buildRowLabels(batch: Batch, naming: Naming | undefined, known: KnownNames): RowLabels {
  const { rows, names } = listRowLabels(batch, naming);
  const texts = rows.map((labels) => `{${labels.map(([name, value]) => labelText(name, value)).join(',')}} `);
  return { texts: encodeTogether(texts), names: shareNames(names, known) };
}

function shareNames(names: ReadonlySet<string>, known: KnownNames): ReadonlySet<string> {
  const key = [...names].join();
  const shared = known.get(key);
  if (shared === undefined) known.set(key, names);
  return shared ?? names;
}

/** Parts of one buffer: many small buffers would burden the garbage collector. Short texts share a buffer with those of other devices. */
function encodeTogether(texts: readonly string[]): Uint8Array[] {
  const whole = Buffer.from(texts.join(''));
  let from = 0;
  return texts.map((text) => {
    const to = from + Buffer.byteLength(text);
    const part = whole.subarray(from, to);
    from = to;
    return part;
  });
}

import type { Column } from '../../../../src/index.ts';
import { maxNumberBytes } from '../../../../src/internal.ts';
import type { TextBuffer } from '../../../../src/output-kit/index.ts';
import type { RowLabels } from '../latest/row-labels.ts';
import { writeNumber } from './sample-value.ts';

/** What all samples of a column have in common. */
export interface NumberSamples {
  readonly column: Column;
  readonly labels: RowLabels;
  /** In front of the labels. */
  readonly name: Uint8Array;
  /** Behind the value: a time or nothing, and the end of the line. */
  readonly end: Uint8Array;
  /** The line behind each sample that says when its counter began. */
  readonly created: { readonly name: Uint8Array; readonly end: Uint8Array } | undefined;
}

/**
 * Writes a sample for each row from `row` on that has a value, until the chunk is full or there is none left, and answers
 * which row is next. Made for speed: this is nearly all that an exposition costs.
 */
export function writeNumberSamples(samples: NumberSamples, row: number, out: TextBuffer): number {
  const { column, labels, name, end, created } = samples;
  const { texts } = labels;
  let next = row;
  for (; next < texts.length && !out.isFull; next++) {
    const text = texts[next]!;
    out.reserve(name.length + text.length + maxNumberBytes + end.length);
    const { bytes } = out;
    const labelsAt = copyShort(name, bytes, out.length);
    bytes.set(text, labelsAt);
    const at = labelsAt + text.length;
    const valueEnd = writeNumber(bytes, at, column, next);
    if (valueEnd === at) continue;
    out.length = copyShort(end, bytes, valueEnd);
    if (created === undefined) continue;
    out.copy(created.name);
    out.copy(text);
    out.copy(created.end);
  }
  return next;
}

/** A call of the runtime costs more than so few octets. */
function copyShort(source: Uint8Array, target: Uint8Array, at: number): number {
  const { length } = source;
  for (let i = 0; i < length; i++) target[at + i] = source[i]!;
  return at + length;
}

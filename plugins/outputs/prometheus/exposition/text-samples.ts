import type { Column } from '../../../../src/index.ts';
import { type Family, type Label, listStates, type TextBuffer } from '../../../../src/output-kit/index.ts';
import type { RowLabels } from '../latest/row-labels.ts';
import { labelText } from './label-text.ts';

/** A row of the samples of a family, and what ends their lines. */
export interface SampleRow {
  readonly family: Family;
  readonly labels: RowLabels;
  readonly row: number;
  readonly end: string;
}

/** Writes the texts of a row as labels of one sample; nothing when it has none. */
export function writeInfoSample(sample: SampleRow, texts: readonly Label[], out: TextBuffer): void {
  if (texts.length > 0) writeSample(sample, texts, 1, out);
}

/** Writes a sample for each state of the field; nothing for a gap. */
export function writeStateSamples(sample: SampleRow, column: Column, out: TextBuffer): void {
  for (const [label, value] of listStates(sample.family, column, sample.row)) {
    writeSample(sample, [label], value, out);
  }
}

function writeSample(
  { family, labels, row, end }: SampleRow,
  more: readonly Label[],
  value: 0 | 1,
  out: TextBuffer,
): void {
  out.write(family.sampleName);
  // Every row has labels, so more can follow in the place of their end.
  out.copy(labels.texts[row]!.subarray(0, -'} '.length));
  const attributes = more.map(([name, text]) => `,${labelText(name, text)}`).join('');
  out.write(`${attributes}} ${value}${end}`);
}

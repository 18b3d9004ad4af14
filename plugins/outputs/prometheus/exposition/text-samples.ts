import type { Column } from '../../../../src/index.ts';
import type { Family } from '../naming/family-table.ts';
import type { Label } from '../naming/row-label-list.ts';
import { listStates } from '../naming/state-list.ts';
import { labelText } from './label-text.ts';

/** The texts of a row as labels of one sample; empty when it has none. */
export function infoSample(family: Family, labels: string, texts: readonly Label[], end: string): string {
  if (texts.length === 0) return '';
  const attributes = texts.map(([name, text]) => `,${labelText(name, text)}`).join('');
  return `${family.sampleName}${openBrace(labels)}${attributes}} 1${end}`;
}

/** A sample for each state of the field; empty for a gap. */
export function stateSamples(
  family: Family,
  labels: string,
  column: Column,
  row: number,
  end: string,
): string {
  let samples = '';
  for (const [[name, state], value] of listStates(family, column, row)) {
    samples += `${family.sampleName}${openBrace(labels)},${labelText(name, state)}} ${value}${end}`;
  }
  return samples;
}

/** Every row has labels, so more can follow. */
function openBrace(labels: string): string {
  return labels.slice(0, -2);
}

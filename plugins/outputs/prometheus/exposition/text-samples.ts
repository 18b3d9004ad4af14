import { type Column, valueAt } from '../../../../src/index.ts';
import type { Family } from '../naming/family-table.ts';
import { sampleName } from './family-text.ts';
import { labelText } from './label-text.ts';

/** Beyond these a field is no enumeration: only the state that holds is written. */
const maxStates = 64;

/** The texts of a row as labels of one sample; empty when it has none. */
export function infoSample(
  family: Family,
  labels: string,
  texts: readonly { readonly name: string; readonly column: Column }[],
  row: number,
  end: string,
): string {
  let attributes = '';
  for (const { name, column } of texts) {
    const text = textAt(column, row);
    if (text !== undefined) attributes += `,${labelText(name, text)}`;
  }
  return attributes === '' ? '' : `${sampleName(family)}${openBrace(labels)}${attributes}} 1${end}`;
}

/** A sample for each state that the field has had anywhere: 1 for those that hold; empty for a gap. */
export function stateSamples(
  family: Family,
  labels: string,
  column: Column,
  row: number,
  end: string,
): string {
  const value = valueAt(column, row);
  if (value === undefined) return '';
  const holding = new Set(Array.isArray(value) ? value : [String(value)]);
  for (const state of holding) if (family.states.size < maxStates) family.states.add(state);
  let samples = '';
  for (const state of new Set([...family.states, ...holding])) {
    const label = labelText(family.name, state);
    samples += `${family.name}${openBrace(labels)},${label}} ${holding.has(state) ? 1 : 0}${end}`;
  }
  return samples;
}

function textAt(column: Column, row: number): string | undefined {
  const value = valueAt(column, row);
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Every row has labels, so more can follow. */
function openBrace(labels: string): string {
  return labels.slice(0, -2);
}

import { type Column, valueAt } from '../../../../src/index.ts';
import type { Family } from './family-table.ts';
import { labelValue } from './label-value.ts';
import type { Label } from './row-label-list.ts';

/** Beyond these a field is no enumeration: only the state that holds is written. */
const maxStates = 64;

/** Each state that the field has had anywhere, with 1 for those that hold in this row; nothing for a gap. */
export function listStates(family: Family, column: Column, row: number): (readonly [Label, 0 | 1])[] {
  const value = valueAt(column, row);
  if (value === undefined) return [];
  const holding = new Set<string>(Array.isArray(value) ? value : [String(value)]);
  for (const state of holding) if (family.states.size < maxStates) family.states.add(state);
  const states = [...new Set([...family.states, ...holding])];
  return states.map((state) => [[family.name, labelValue(state)], holding.has(state) ? 1 : 0]);
}

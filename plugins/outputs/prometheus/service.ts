/** For outputs whose series have the same names and labels, or that tell their reader when a series ends. */
export { createLivedWriter } from './lives/lived-writer.ts';
export type { LivedBatch } from './lives/vanished-values.ts';
export { nameColumns } from './naming/column-families.ts';
export { type Family, FamilyTable } from './naming/family-table.ts';
export { namingOptions } from './naming/naming-options.ts';
export { type Label, listRowLabels } from './naming/row-label-list.ts';
export { listStates } from './naming/state-list.ts';

/** For commands: definitions that a program proposes, and the files that hold them. */

export { draftFailure } from './draft-errors.ts';
export { groupName } from './draft-names.ts';
export type { DraftSet } from './draft-set.ts';
export { meaningOf } from './from-mib/column-meaning.ts';
export { draftModule } from './from-mib/draft-module.ts';
export { indexPartsOf } from './from-mib/index-parts.ts';
export { mibDraftFailure } from './from-mib/mib-draft-errors.ts';
export { findGroups, type MibGroup } from './from-mib/mib-groups.ts';
export { type ShippedColumns, shippedColumns } from './from-mib/shipped-columns.ts';
export { draftTables, type UnnamedTable, type UnnamedType } from './from-oids/draft-tables.ts';
export { joinDrafts } from './join-drafts.ts';
export { writeDrafts } from './write-drafts.ts';
